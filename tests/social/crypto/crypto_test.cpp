// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/crypto.hpp"
#include "base/signing.hpp"
#include "social/federation/peer.hpp"
#include "social/instance/settings.hpp"
#include "world.hpp"

#include <gmock/gmock.h>
#include <sodium.h>

#include <future>
#include <set>

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr auto upload = "/api/v1/crypto/keys/upload", claim = "/api/v1/crypto/keys/claim",
               query = "/api/v1/crypto/keys/query", count = "/api/v1/crypto/keys/count",
               deliveries = "/api/v1/crypto/deliveries", messages = "/api/v1/crypto/encrypted_messages",
               clear = "/api/v1/crypto/encrypted_messages/clear";

// What a client keeps: an Ed25519 pair, and keys it signs.
struct Keys {
    Keys() { crypto_sign_keypair(public_, secret_); }
    static std::string base64(const unsigned char* bytes, std::size_t size) {
        return base::base64({reinterpret_cast<const char*>(bytes), size});
    }
    std::string fingerprint() const { return base64(public_, sizeof public_); }
    std::string signature(const std::string& text) const {
        unsigned char made[crypto_sign_BYTES];
        auto bytes = reinterpret_cast<const unsigned char*>(text.data());
        crypto_sign_detached(made, nullptr, bytes, text.size(), secret_);
        return base64(made, sizeof made);
    }
    Fields device(const std::string& id) const {
        return {
            {"device[device_id]", id},
            {"device[name]", "Phone"},
            {"device[fingerprint_key]", fingerprint()},
            {"device[identity_key]", identity}
        };
    }
    void add(Fields& form, const std::string& key_id) const {
        auto key = base::base64(base::random_bytes(32));
        form.emplace_back("one_time_keys[][key_id]", key_id);
        form.emplace_back("one_time_keys[][key]", key);
        form.emplace_back("one_time_keys[][signature]", signature(key));
    }

    std::string identity = base::base64(base::random_bytes(32));

private:
    unsigned char public_[crypto_sign_PUBLICKEYBYTES], secret_[crypto_sign_SECRETKEYBYTES];
};

struct Crypto : OnEachWorld {
    Person phone(const std::string& name) {
        auto person = w.local(name);
        return w.with_scopes(person, "crypto");
    }
    Fields to(const Person& person, const std::string& device, const std::string& body = "?") {
        return {
            {"device[][account_id]", person.id},
            {"device[][device_id]", device},
            {"device[][type]", "1"},
            {"device[][body]", body},
            {"device[][hmac]", "digest"}
        };
    }
    Person alice = phone("alice"), bob = phone("bob");
    Keys alices, bobs;
};
ON_EACH_DATABASE(Crypto);

TEST_P(Crypto, a_token_has_one_device_and_an_upload_replaces_it) {
    EXPECT_EQ(alice.get(count).status, 404);
    auto form = alices.device("A1");
    alices.add(form, "1");
    alices.add(form, "2");
    auto shown = alice.post(upload, form);
    EXPECT_EQ(shown["device_id"], "A1");
    EXPECT_EQ(shown["fingerprint_key"], alices.fingerprint());
    EXPECT_EQ(alice.get(count)["one_time_keys"], "2");

    auto more = alices.device("A1");
    alices.add(more, "2");
    alices.add(more, "3");
    alice.post(upload, more);
    EXPECT_EQ(alice.get(count)["one_time_keys"], "3");
    Keys fresh;
    alice.post(upload, fresh.device("A1"));
    EXPECT_EQ(alice.get(count)["one_time_keys"], "0");
    auto found = bob.post(query, {{"id[]", alice.id}});
    EXPECT_EQ(found["0.devices.0.fingerprint_key"], fresh.fingerprint());
    EXPECT_EQ(found["0.devices.1"], "absent");
    EXPECT_EQ(alice.post(upload, Keys().device(""))["device_id"], "A1");
    EXPECT_NE(bob.post(upload, Keys().device(""))["device_id"], "");
}

TEST_P(Crypto, devices_are_told_to_other_servers) {
    auto devices_of = [&](const std::string& name) {
        return w.anonymous().get("/users/" + name + "/collections/devices");
    };
    auto none = devices_of("alice");
    EXPECT_EQ(none["totalItems"], "0");
    EXPECT_EQ(none["items"], "[]");
    alice.post(upload, alices.device("A 1"));
    auto told = devices_of("ALICE");
    auto home = w.site().public_url + "/users/alice";
    EXPECT_EQ(told.header("Content-Type"), "application/activity+json; charset=utf-8");
    EXPECT_EQ(told["id"], home + "/collections/devices");
    EXPECT_EQ(told["type"], "Collection");
    EXPECT_EQ(told["totalItems"], "1");
    EXPECT_EQ(told["items.0.type"], "Device");
    EXPECT_EQ(told["items.0.deviceId"], "A 1");
    EXPECT_EQ(told["items.0.claim"], home + "/claim?id=A%201");
    EXPECT_EQ(told["items.0.fingerprintKey.type"], "Ed25519Key");
    EXPECT_EQ(told["items.0.fingerprintKey.publicKeyBase64"], alices.fingerprint());
    EXPECT_EQ(told["items.0.identityKey.type"], "Curve25519Key");
    w.suspend(alice);
    w.unconfirmed("zoe");
    for (auto name : {"alice", "zoe", "nobody", "alice@far.example"})
        EXPECT_EQ(devices_of(name).status, 404) << name;
}

TEST_P(Crypto, keys_must_be_keys_and_signatures_must_hold) {
    auto refused = [&](std::string name, std::string value) {
        auto form = alices.device("A1");
        alices.add(form, "1");
        for (auto& [field, given] : form)
            if (field == name) given = value;
        auto answer = alice.post(upload, form);
        EXPECT_EQ(answer.status, 422) << name;
        EXPECT_EQ(alice.get(count).status, 404);
        return answer.error();
    };
    auto no_key = "is not a valid Ed25519 or Curve25519 key";
    auto short_key = base::base64(base::random_bytes(31)), zero = base::base64(std::string(32, '\0'));
    for (const auto& bad : {std::string("?"), short_key, zero}) {
        EXPECT_THAT(refused("device[fingerprint_key]", bad), HasSubstr(no_key));
        EXPECT_THAT(refused("device[identity_key]", bad), HasSubstr(no_key));
        EXPECT_THAT(refused("one_time_keys[][key]", bad), HasSubstr(no_key));
    }
    auto no_signature = "is not a valid Ed25519 signature";
    auto other_key = base::base64(base::random_bytes(32));
    EXPECT_THAT(refused("one_time_keys[][key]", other_key), HasSubstr(no_signature));
    EXPECT_THAT(refused("one_time_keys[][signature]", Keys().signature("x")), HasSubstr(no_signature));
    EXPECT_THAT(refused("device[fingerprint_key]", Keys().fingerprint()), HasSubstr(no_signature));
    for (auto blank :
         {"device[name]", "device[fingerprint_key]", "device[identity_key]", "one_time_keys[][key_id]"})
        EXPECT_THAT(refused(blank, ""), HasSubstr("can't be blank"));
    EXPECT_EQ(alice.post(upload, {}).status, 422);
}

TEST_P(Crypto, queries_answer_for_each_known_account_in_the_order_asked) {
    alice.post(upload, alices.device("A1"));
    auto found = bob.post(query, {{"id[]", bob.id}, {"id[]", "77"}, {"id[]", alice.id}, {"id[]", alice.id}});
    EXPECT_THAT(found.all("account_id"), ElementsAre(bob.id, alice.id));
    EXPECT_EQ(found["0.devices.0"], "absent");
    EXPECT_EQ(found["1.devices.0.device_id"], "A1");
    EXPECT_EQ(bob.post(query).body, "[]");
}

TEST_P(Crypto, a_claimed_key_is_gone_and_misses_are_left_out) {
    auto form = alices.device("A1");
    alices.add(form, "1");
    alice.post(upload, form);
    Fields want{
        {"device[][account_id]", alice.id},
        {"device[][device_id]", "A1"},
        {"device[][account_id]", alice.id},
        {"device[][device_id]", "A9"},
        {"device[][account_id]", "77"},
        {"device[][device_id]", "A1"}
    };
    auto got = bob.post(claim, want);
    EXPECT_THAT(got.all("key_id"), ElementsAre("1"));
    EXPECT_EQ(got["0.account_id"], alice.id);
    EXPECT_EQ(got["0.device_id"], "A1");
    auto fingerprint = *base::from_base64(alices.fingerprint());
    EXPECT_TRUE(base::is_signed(fingerprint, *base::from_base64(got["0.signature"]), got["0.key"]));
    EXPECT_EQ(bob.post(claim, want).body, "[]");
    EXPECT_EQ(alice.get(count)["one_time_keys"], "0");
}

TEST_P(Crypto, messages_wait_for_the_device_they_are_for) {
    alice.post(upload, alices.device("A1"));
    EXPECT_EQ(bob.post(deliveries, to(alice, "A1")).status, 404);  // bob's token has no device
    bob.post(upload, bobs.device("B1"));
    EXPECT_EQ(bob.post(deliveries).status, 400);
    EXPECT_EQ(bob.post(deliveries, to(alice, "A9")).status, 404);
    EXPECT_EQ(bob.post(deliveries, to(w.local("carol"), "A1")).status, 404);
    EXPECT_EQ(bob.post(deliveries, to(alice, "A1", "one")).body, "{}");
    EXPECT_EQ(bob.get(messages).body, "[]");
    auto got = alice.get(messages);
    EXPECT_THAT(got.ids(), SizeIs(1));
    EXPECT_EQ(got["0.account_id"], bob.id);
    EXPECT_EQ(got["0.device_id"], "B1");
    EXPECT_EQ(got["0.type"], "1");
    EXPECT_EQ(got["0.body"], "one");
    EXPECT_EQ(got["0.digest"], "digest");
    auto key = w.read([](db::Read& db) { return instance::setting(db, "message_franking_key"); });
    ASSERT_TRUE(key);
    auto proof =
        base::unseal(base::from_base64(*key).value(), base::from_base64(got["0.message_franking"]).value());
    ASSERT_TRUE(proof);
    auto said = boost::json::parse(*proof);
    EXPECT_EQ(said.at("source_account_id"), bob.id);
    EXPECT_EQ(said.at("target_account_id"), alice.id);
    EXPECT_EQ(said.at("digest"), "digest");
    EXPECT_EQ(bob.post(deliveries, to(alice, "A1", std::string(65'536, 'x'))).status, 422);
}

TEST_P(Crypto, messages_come_in_pages_and_go_up_to_an_id) {
    alice.post(upload, alices.device("A1"));
    bob.post(upload, bobs.device("B1"));
    for (auto text : {"1", "2", "3", "4"}) bob.post(deliveries, to(alice, "A1", text));
    auto first = alice.get(messages, {{"limit", "2"}});
    EXPECT_THAT(first.all("body"), ElementsAre("4", "3"));
    EXPECT_THAT(alice.get(first.link("next")).all("body"), ElementsAre("2", "1"));
    auto newer = alice.get(messages, {{"min_id", alice.get(messages).ids()[3]}, {"limit", "2"}});
    EXPECT_THAT(newer.all("body"), ElementsAre("3", "2"));
    EXPECT_EQ(alice.post(clear).status, 400);
    EXPECT_EQ(alice.post(clear, {{"up_to_id", first.ids()[1]}}).body, "{}");
    EXPECT_THAT(alice.get(messages).all("body"), ElementsAre("4"));
    EXPECT_EQ(w.with_scopes(alice, "crypto").post(clear, {{"up_to_id", "1"}}).status, 404);
}

TEST_P(Crypto, whoever_blocks_somebody_has_no_devices_for_them) {
    auto form = alices.device("A1");
    alices.add(form, "1");
    alice.post(upload, form);
    bob.post(upload, bobs.device("B1"));
    w.with_scopes(alice, "write").blocks(bob);
    EXPECT_EQ(bob.post(query, {{"id[]", alice.id}})["0.devices.0"], "absent");
    EXPECT_EQ(bob.post(claim, to(alice, "A1")).body, "[]");
    EXPECT_EQ(bob.post(deliveries, to(alice, "A1")).status, 404);
    EXPECT_EQ(alice.get(count)["one_time_keys"], "1");
}

TEST_P(Crypto, a_revoked_token_takes_its_device_along) {
    auto other = w.with_scopes(alice, "crypto");
    alice.post(upload, alices.device("A1"));
    other.post(upload, Keys().device("A2"));
    bob.post(upload, bobs.device("B1"));
    bob.post(deliveries, to(alice, "A1"));
    w.revoke(alice);
    auto found = bob.post(query, {{"id[]", alice.id}});
    EXPECT_EQ(found["0.devices.0.device_id"], "A2");
    EXPECT_EQ(found["0.devices.1"], "absent");
    EXPECT_EQ(bob.post(deliveries, to(alice, "A1")).status, 404);
}

TEST_P(Crypto, needs_its_own_scope) {
    auto usual = w.with_scopes(w.local("dora"), "read write follow push profile");
    EXPECT_EQ(usual.get(count).status, 403);
    EXPECT_EQ(usual.post(upload, alices.device("D1")).status, 403);
    EXPECT_EQ(w.anonymous().get(messages).status, 401);
}

// The rules over real threads: those who ask at once stand in a queue before the one writer.
struct ClaimedKeys : support::OnEachMigratedDatabase {
    std::future<void> change(std::function<void(db::Write&)> f) {
        auto promise = std::make_shared<std::promise<void>>();
        auto done = promise->get_future();
        engine->write("test", std::move(f), [promise](std::exception_ptr error) {
            error ? promise->set_exception(error) : promise->set_value();
        });
        return done;
    }
    static crypto::Upload device_with_keys(int keys) {
        Keys owner;
        crypto::Upload given{"A1", "Phone", owner.fingerprint(), owner.identity, {}};
        for (int i = 0; i < keys; ++i) {
            auto key = base::base64(base::random_bytes(32));
            given.one_time_keys.push_back({std::to_string(i), key, owner.signature(key)});
        }
        return given;
    }
    std::unique_ptr<db::RunningEngine> engine;
};
ON_EACH_DATABASE(ClaimedKeys);

TEST_P(ClaimedKeys, go_to_exactly_one_however_many_ask_at_once) {
    database.options.prepare = [](db::Connection& connection) { db::migrate(connection, {1000}); };
    engine = db::open_engine(database.options);
    engine->start();
    constexpr int keys = 60, askers = 100;
    auto given = device_with_keys(keys);
    change([&](db::Write& db) { crypto::upload(db, {1}, {1}, given); }).get();

    std::vector<std::optional<crypto::OneTimeKey>> taken(askers);
    std::vector<std::future<void>> waiting;
    for (auto& one : taken)
        waiting.push_back(change([&one](db::Write& db) {
            one = crypto::take_key(db, crypto::own_device(db, {1}).id);
        }));
    for (auto& one : waiting) one.get();
    engine.reset();
    std::set<std::string> names;
    int got = 0;
    for (const auto& one : taken)
        if (one) ++got, names.insert(one->key_id);
    EXPECT_EQ(got, keys);
    EXPECT_EQ(names.size(), std::size_t{keys});
}

TEST_P(Crypto, keys_are_claimed_by_other_servers_that_sign_once_each) {
    auto form = alices.device("A 1");
    alices.add(form, "k1");
    alice.post(upload, form);
    auto far = Peer(w).known();
    const std::string address = "/users/alice/claim?id=A%201";
    auto bare = far.request("", address);
    std::erase_if(bare.headers, [](const auto& header) { return header.first == "Signature"; });
    EXPECT_EQ(far.sends(bare).status, 401);
    EXPECT_EQ(far.brings("", "/users/alice/claim?id=another").status, 404);
    EXPECT_EQ(far.brings("", "/users/nobody/claim?id=A%201").status, 404);
    EXPECT_EQ(far.brings("", "/users/alice/claim").status, 422);
    EXPECT_EQ(alice.get(count)["one_time_keys"], "1");
    auto key = far.brings("", address);
    EXPECT_EQ(key.status, 200);
    EXPECT_EQ(key["keyId"], "k1");
    EXPECT_EQ(key["type"], "Curve25519Key");
    EXPECT_EQ(key["signature.signatureValue"], alices.signature(key["publicKeyBase64"]));
    EXPECT_EQ(alice.get(count)["one_time_keys"], "0");
    EXPECT_EQ(far.brings("", address).status, 404);
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// Activities that speak for themselves: signed inside, passed on by others and by us.
#include "ap/signatures/exact_json.hpp"
#include "ap/signatures/key.hpp"
#include "ap/signatures/ld_signature.hpp"
#include "base/crypto.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "social/federation/sent.hpp"
#include "support/key_pair.hpp"

#include <gmock/gmock.h>
#include <sodium.h>
#include <boost/json.hpp>

namespace {

using testing::ElementsAre, testing::IsEmpty;

const db::Query<std::string> test_key_of{
    "test_key_of", "SELECT public_key FROM actor_keys WHERE account_id = $1"
};

const db::Command test_second_key{
    "test_second_key",
    R"(INSERT INTO actor_keys (id, account_id, type, public_key, created_at) VALUES ($1, $2, 'pem', $3, 0)
       ON CONFLICT (id) DO NOTHING)"
};

const db::Command test_proof_key{
    "test_proof_key",
    R"(INSERT INTO actor_keys (id, account_id, type, public_key, created_at) VALUES ($1, $2, 'multibase', $3, 0)
       ON CONFLICT (id) DO UPDATE SET public_key = excluded.public_key)"
};

struct PassedOn : OnEachWorld {
    Person alice = w.local("alice");
    Peer bob = Peer(w).known();
    Peer hub = Peer(w, "hub", "hub.example").known();

    void comes(const Peer& from, const std::string& body, int status = 202) {
        EXPECT_EQ(from.brings(body).status, status);
        w.run_inbox();
    }
    std::vector<std::string> texts() {
        return alice.get("/api/v1/accounts/" + std::to_string(bob.id.value) + "/statuses").all("content");
    }
    std::string signed_by(const Peer& who, const std::string& body) {
        const auto& pair = support::key_pair();
        auto id = who.uri + "#second";
        w.write([&](db::Write& db) { db.run(test_second_key, id, who.id, pair.public_pem); });
        auto key = ap::PrivateKey::from_pem(pair.private_pem);
        auto parsed = ap::parse_exactly(body);
        return boost::json::serialize(ap::ld::sign(parsed->as_object(), id, *key, w.now()));
    }
    // With a proof by an Ed25519 key, which is that of `who` here where it is `known`.
    std::string proven_by(
        const Peer& who, const std::string& body, bool known = true, const char* key_name = "#proof"
    ) {
        unsigned char public_key[crypto_sign_PUBLICKEYBYTES], secret[crypto_sign_SECRETKEYBYTES];
        crypto_sign_keypair(public_key, secret);
        auto text = [](const unsigned char* bytes, std::size_t size) {
            return std::string(reinterpret_cast<const char*>(bytes), size);
        };
        auto id = who.uri + key_name;
        auto multikey = ap::to_multibase("\xed\x01" + text(public_key, sizeof public_key));
        if (known) w.write([&](db::Write& db) { db.run(test_proof_key, id, who.id, multikey); });
        auto document = ap::parse_exactly(body)->as_object();
        boost::json::object proof{
            {"type", "DataIntegrityProof"},
            {"cryptosuite", "eddsa-jcs-2022"},
            {"proofPurpose", "assertionMethod"},
            {"verificationMethod", id},
            {"created", "2026-01-01T00:00:00Z"}
        };
        auto said = base::sha256(ap::jcs(proof)) + base::sha256(ap::jcs(document));
        unsigned char made[crypto_sign_BYTES];
        crypto_sign_detached(
            made, nullptr, reinterpret_cast<const unsigned char*>(said.data()), said.size(), secret
        );
        proof["proofValue"] = ap::to_multibase(text(made, sizeof made));
        document["proof"] = proof;
        return boost::json::serialize(document);
    }
    std::string post(const std::string& text, const std::string& more = "") {
        return bob.create(bob.note("1", text, more), "1");
    }
    std::string answering(const std::string& status) {
        auto more = R"(,"inReplyTo":")" + uri_of(w, status) + "\"";
        auto body = post("an answer", more);
        body.pop_back();
        return body + R"(,"to":["https://www.w3.org/ns/activitystreams#Public"]})";
    }
};
ON_EACH_DATABASE(PassedOn);

TEST_P(PassedOn, posts_are_believed_by_the_signature_of_their_author) {
    remote::follows(w, alice, bob.id);
    auto body = signed_by(bob, post("hello"));
    comes(hub, body);
    EXPECT_THAT(texts(), ElementsAre("hello"));
    comes(hub, body);
    comes(bob, post("hello"));
    EXPECT_THAT(texts(), ElementsAre("hello"));
    EXPECT_TRUE(internet().asked.empty());
}

// One that was undone may come again under its id, from whoever follows and from nobody who kept it.
TEST_P(PassedOn, follows_are_not_believed_by_any_signature) {
    const auto followers = [&] {
        return alice.get("/api/v1/accounts/" + alice.id + "/followers").ids().size();
    };
    const auto follow = signed_by(bob, bob.follow(uri_of(w, alice)));
    comes(hub, follow);
    EXPECT_EQ(followers(), 0u);
    comes(bob, follow);
    EXPECT_EQ(followers(), 1u);
    comes(bob, bob.undo(follow));
    comes(hub, follow);
    EXPECT_EQ(followers(), 0u);
    EXPECT_EQ(w.happened(), "Followed, Unfollowed");
}

TEST_P(PassedOn, posts_are_believed_by_a_proof_of_their_author) {
    remote::follows(w, alice, bob.id);
    auto body = proven_by(bob, post("hello"));
    comes(hub, body);
    EXPECT_THAT(texts(), ElementsAre("hello"));
    comes(hub, body);
    EXPECT_THAT(texts(), ElementsAre("hello"));
    EXPECT_TRUE(internet().asked.empty());
}

TEST_P(PassedOn, deletions_are_believed_by_a_proof_of_their_author_alone) {
    remote::follows(w, alice, bob.id);
    comes(bob, post("hello"));
    auto end = bob.activity("Delete", bob.note_id("1"), "end");
    comes(hub, proven_by(hub, end));
    auto changed = proven_by(bob, bob.activity("Delete", bob.note_id("2"), "end"));
    changed.replace(changed.find("notes/2") + 6, 1, "1");
    comes(hub, changed);
    EXPECT_THAT(texts(), ElementsAre("hello"));
    comes(hub, proven_by(bob, end));
    EXPECT_THAT(texts(), IsEmpty());
}

TEST_P(PassedOn, posts_are_not_believed_by_a_proof_that_is_changed_or_of_another_key_or_actor) {
    remote::follows(w, alice, bob.id);
    Peer eve = Peer(w, "eve").known();
    auto changed = proven_by(bob, post("hello"));
    changed.replace(changed.find("hello"), 5, "bribe");
    comes(hub, changed);
    // The key of this name is another one by now.
    auto with_old_key = proven_by(bob, post("old key"));
    proven_by(bob, post("new key"));
    comes(hub, with_old_key);
    // Of another person, on this server or the other; and one that nobody has.
    comes(hub, proven_by(eve, post("by a neighbour")));
    comes(hub, proven_by(hub, post("by who brings it")));
    comes(hub, proven_by(bob, post("by nobody"), false, "#unknown"));
    EXPECT_THAT(texts(), IsEmpty());
    // Nor do they keep the real one away.
    comes(hub, proven_by(bob, post("hello")));
    EXPECT_THAT(texts(), ElementsAre("hello"));
}

TEST_P(PassedOn, posts_without_any_are_refused) {
    remote::follows(w, alice, bob.id);
    comes(hub, post("hello"), 401);
    EXPECT_THAT(texts(), IsEmpty());
}

TEST_P(PassedOn, attack_25_posts_are_not_believed_when_changed_or_signed_by_others) {
    remote::follows(w, alice, bob.id);
    auto changed = signed_by(bob, post("hello"));
    changed.replace(changed.find("hello"), 5, "bribe");
    comes(hub, changed);
    comes(hub, signed_by(hub, post("forged")));
    EXPECT_THAT(texts(), IsEmpty());
    // Nor do they keep the real one away.
    comes(bob, post("hello"));
    EXPECT_THAT(texts(), ElementsAre("hello"));
}

TEST_P(PassedOn, hints_are_asked_for_at_the_authors_server) {
    remote::follows(w, alice, bob.id);
    auto real = bob.note("1", "real");
    real.insert(1, R"("@context":"https://www.w3.org/ns/activitystreams",)");
    internet().page(bob.note_id("1"), real, "application/activity+json");
    comes(hub, signed_by(hub, post("forged")));
    EXPECT_THAT(texts(), ElementsAre("real"));
}

TEST_P(PassedOn, answers_to_somebody_here_go_to_their_followers_as_they_came_and_not_back) {
    comes(hub, hub.follow(uri_of(w, alice)));
    comes(bob, bob.follow(uri_of(w, alice)));
    auto status = alice.status("a question");
    sent(w);
    auto body = signed_by(bob, answering(status));
    comes(bob, body);
    comes(bob, body);
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].line(), "Create hub.example/users/hub/inbox");
    EXPECT_EQ(told[0].activity.body, body);
}

TEST_P(PassedOn, answers_that_nobody_could_believe_stay_here) {
    comes(hub, hub.follow(uri_of(w, alice)));
    auto status = alice.status("a question");
    sent(w);
    comes(bob, answering(status));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["replies_count"], "1");
    EXPECT_THAT(sent_lines(w), IsEmpty());
}

TEST_P(PassedOn, our_posts_carry_a_signature_when_everybody_may_read_them) {
    comes(hub, hub.follow(uri_of(w, alice)));
    sent(w);
    auto pem = w.read([&](db::Read& db) { return db.one(test_key_of, remote::number(alice)); });
    auto holds = [&](const std::string& body) {
        auto document = ap::parse_exactly(body);
        auto key = ap::PublicKey::from_pem(pem);
        return ap::ld::verify(document->as_object(), *key, w.now()) == ap::ld::Verdict::valid;
    };
    struct Row {
        const char* visibility;
        bool carried;
    };
    for (const auto& row : {Row{"public", true}, {"unlisted", true}, {"private", false}}) {
        auto status = alice.status("hello #tag :)", {{"visibility", row.visibility}});
        auto told = sent(w);
        ASSERT_EQ(told.size(), 1u);
        EXPECT_EQ(told[0]["signature.type"] != "absent", row.carried) << row.visibility;
        EXPECT_EQ(holds(told[0].activity.body), row.carried) << row.visibility;
        alice.del("/api/v1/statuses/" + status);
        EXPECT_TRUE(holds(sent(w)[0].activity.body)) << row.visibility;
    }
}

}  // namespace

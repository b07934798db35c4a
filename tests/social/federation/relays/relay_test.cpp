// SPDX-License-Identifier: AGPL-3.0-or-later
// Relays of both kinds.
#include "social/federation/relays/relay.hpp"
#include "ap/signatures/exact_json.hpp"
#include "ap/signatures/ld_signature.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "social/federation/sent.hpp"
#include "support/key_pair.hpp"

#include <gmock/gmock.h>
#include <boost/json.hpp>

namespace {

using testing::ElementsAre, testing::IsEmpty;

const db::Command test_relay_key{
    "test_relay_key",
    "INSERT INTO actor_keys (id, account_id, type, public_key, created_at) VALUES ($1, $2, 'pem', $3, 0)"
};

struct Relays : OnEachWorld {
    Person alice = w.local("alice");
    Peer bob = Peer(w).known();
    Peer hub = Peer(w, "hub", "hub.example");
    const std::string inbox = "https://hub.example/inbox";

    void comes(const Peer& from, const std::string& body) {
        EXPECT_EQ(from.brings(body).status, 202);
        w.run_inbox();
    }
    Sent added(const std::string& actor = "") {
        w.write([&](db::Write& db) { federation::add_relay(db, inbox, inbox, actor); });
        return sent(w).at(0);
    }
    federation::RelayState state() {
        return w.read([](db::Read& db) { return federation::relays(db).at(0).state; });
    }
    void accepted() {
        hub.publish();
        auto follow = added();
        comes(hub, hub.activity("Accept", follow["id"], "yes"));
        ASSERT_EQ(state(), federation::RelayState::accepted);
    }
    std::vector<std::string> texts() {
        return alice.get("/api/v1/timelines/public", {{"remote", "true"}}).all("content");
    }
};
ON_EACH_DATABASE(Relays);

TEST_P(Relays, are_asked_and_count_once_they_accept) {
    hub.publish();
    auto follow = added();
    EXPECT_EQ(follow.line(), "Follow hub.example/inbox");
    EXPECT_EQ(follow["actor"], w.site().public_url + "/actor");
    EXPECT_EQ(follow["object"], "https://www.w3.org/ns/activitystreams#Public");
    alice.status("too early");
    EXPECT_THAT(sent_lines(w), IsEmpty());
    // Nobody of another host answers for it.
    comes(bob, bob.activity("Accept", follow["id"], "forged"));
    EXPECT_EQ(state(), federation::RelayState::pending);
    comes(hub, hub.activity("Accept", follow["id"], "yes"));
    EXPECT_EQ(state(), federation::RelayState::accepted);
    comes(hub, hub.activity("Reject", follow["id"], "no"));
    EXPECT_EQ(state(), federation::RelayState::rejected);
}

TEST_P(Relays, get_public_posts_and_nothing_else) {
    accepted();
    for (auto visibility : {"unlisted", "private", "direct"})
        alice.status("hello", {{"visibility", visibility}});
    EXPECT_THAT(sent_lines(w), IsEmpty());
    auto status = alice.status("hello");
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].line(), "Create hub.example/inbox");
    EXPECT_NE(told[0]["signature.signatureValue"], "absent");
    // Boosts, only where both are the author's.
    alice.reblogs(w.local("carol").status("hers", {{"visibility", "unlisted"}}));
    EXPECT_THAT(sent_lines(w), IsEmpty());
    alice.reblogs(status);
    EXPECT_THAT(sent_lines(w), ElementsAre("Announce hub.example/inbox"));
    alice.post("/api/v1/statuses/" + status + "/unreblog");
    EXPECT_THAT(sent_lines(w), ElementsAre("Undo hub.example/inbox"));
    alice.del("/api/v1/statuses/" + status);
    EXPECT_THAT(sent_lines(w), ElementsAre("Delete hub.example/inbox"));
    w.write([&](db::Write& db) { EXPECT_TRUE(federation::remove_relay(db, inbox)); });
    alice.status("later");
    EXPECT_THAT(sent_lines(w), ElementsAre("Undo hub.example/inbox"));
}

TEST_P(Relays, bring_posts_of_people_whom_nobody_follows) {
    accepted();
    const auto& pair = support::key_pair();
    auto id = bob.uri + "#second";
    w.write([&](db::Write& db) { db.run(test_relay_key, id, bob.id, pair.public_pem); });
    auto key = ap::PrivateKey::from_pem(pair.private_pem);
    auto create = bob.create(bob.note("1", "passed on"), "1");
    auto parsed = ap::parse_exactly(create);
    auto body = boost::json::serialize(ap::ld::sign(parsed->as_object(), id, *key, w.now()));
    comes(hub, body);
    EXPECT_THAT(texts(), ElementsAre("passed on"));
}

TEST_P(Relays, boost_without_boosting) {
    accepted();
    auto note = bob.note("announced", "announced");
    note.insert(1, R"("@context":"https://www.w3.org/ns/activitystreams",)");
    internet().page(bob.note_id("announced"), note, "application/activity+json");
    comes(bob, bob.activity("Announce", bob.note_id("announced"), "a", R"(,"to":"as:Public")"));
    EXPECT_THAT(texts(), IsEmpty());
    comes(hub, hub.activity("Announce", bob.note_id("announced"), "b", R"(,"to":"as:Public")"));
    EXPECT_THAT(texts(), ElementsAre("announced"));
}

TEST_P(Relays, that_are_actors_may_follow_back) {
    hub.known();
    auto follow = added(hub.uri);
    EXPECT_EQ(follow["object"], hub.uri);
    auto server = w.site().public_url + "/actor";
    comes(hub, hub.follow(server));
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].line(), "Accept hub.example/users/hub/inbox");
    comes(bob, bob.follow(server));
    EXPECT_THAT(sent_lines(w), ElementsAre("Reject far.example/users/bob/inbox"));
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// What an inbox answers, and that nothing comes of what it refuses. Numbers are those of the list of attacks.
#include "social/federation/inbox/inbox_item.hpp"
#include "social/federation/peer.hpp"
#include "social/instance/domain_block.hpp"

const db::Command test_seen_long_ago{
    "test_seen_long_ago",
    R"(INSERT INTO seen_activities (id, seen_at)
       SELECT 'https://far.example/' || value, 1000
       FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < $1) SELECT value FROM n) x)",
    R"(INSERT INTO seen_activities (id, seen_at)
       SELECT 'https://far.example/' || value, 1000 FROM generate_series(1, $1) value)"
};
const db::Query<std::int64_t> test_still_seen{"test_still_seen", "SELECT count(*) FROM seen_activities"};

namespace {

struct Inbox : OnEachWorld {
    Person alice = w.local("alice");

    // Nothing was written, nothing will be done, nobody was asked.
    void expect_no_trace() {
        EXPECT_EQ(w.changed(), "");
        EXPECT_EQ(w.happened(), "");
        EXPECT_TRUE(internet().asked.empty());
    }
};
ON_EACH_DATABASE(Inbox);

TEST_P(Inbox, takes_what_is_signed_and_does_it_later) {
    auto bob = Peer(w).known();
    auto answer = bob.brings(bob.follow(uri_of(w, alice)));
    EXPECT_EQ(answer.status, 202);
    EXPECT_EQ(answer.body, "");
    EXPECT_EQ(w.changed(), "inbox_items +1");
    EXPECT_EQ(w.run_inbox(), 1);
    EXPECT_EQ(w.happened(), "Followed");
    EXPECT_TRUE(internet().asked.empty());
}

TEST_P(Inbox, has_an_address_for_all_and_one_for_everybody) {
    auto bob = Peer(w).known();
    for (const auto& inbox :
         {std::string("/inbox"),
          std::string("/actor/inbox"),
          std::string("/users/alice/inbox"),
          "/ap/users/" + alice.id + "/inbox"})
        EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice), inbox), inbox).status, 202) << inbox;
    EXPECT_EQ(w.run_inbox(), 4);
    EXPECT_EQ(w.happened(), "Followed, FollowRepeated, FollowRepeated, FollowRepeated");
}

TEST_P(Inbox, of_nobody_is_not_there) {
    auto bob = Peer(w).known();
    for (const auto& inbox : {"/users/nobody/inbox", "/ap/users/1/inbox", "/ap/users/x/inbox"})
        EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice)), inbox).status, 404) << inbox;
    auto of_bob = "/ap/users/" + std::to_string(bob.id.value) + "/inbox";
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice)), of_bob).status, 404);
    expect_no_trace();
}

TEST_P(Inbox, refuses_what_is_too_large_or_no_json) {
    auto bob = Peer(w).known();
    EXPECT_EQ(bob.brings(std::string((1 << 20) + 1, ' ')).status, 413);
    EXPECT_EQ(bob.brings("").status, 400);
    EXPECT_EQ(bob.brings("{").status, 400);
    EXPECT_EQ(bob.brings("[]").status, 400);
    EXPECT_EQ(bob.brings(std::string(10'000, '[')).status, 400);
    expect_no_trace();
}

TEST_P(Inbox, leaves_alone_what_is_no_activity) {
    auto bob = Peer(w).known();
    EXPECT_EQ(
        bob.brings(R"({"@context":"https://www.w3.org/ns/activitystreams","type":"Like"})").status, 202
    );
    EXPECT_EQ(bob.brings("{}").status, 202);
    expect_no_trace();
}

TEST_P(Inbox, ignores_activities_of_types_that_mean_nothing_here) {
    auto bob = Peer(w).known();
    for (const auto& type :
         {"Dislike", "View", "Listen", "Join", "Invite", "Offer", "Lock", "Arrive", "Whatever"})
        EXPECT_EQ(bob.brings(bob.activity(type, uri_of(w, alice), type)).status, 202);
    w.run_inbox();
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(w.happened(), "");
    EXPECT_TRUE(internet().asked.empty());
}

TEST_P(Inbox, keeps_nothing_of_what_nothing_is_done_about) {
    auto bob = Peer(w).known();
    for (int i = 0; i < 3; ++i) {
        const auto number = std::to_string(i);
        EXPECT_EQ(
            bob.brings(bob.like(w.site().public_url + "/ap/users/1/statuses/" + number, number)).status, 202
        );
    }
    w.run_inbox();
    EXPECT_EQ(w.changed(), "");
}

// More than one change takes (1,000), and then some that are not old.
TEST_P(Inbox, forgets_all_that_was_seen_long_ago) {
    auto bob = Peer(w).known();
    const auto follow = bob.follow(uri_of(w, alice));
    EXPECT_EQ(bob.brings(follow).status, 202);
    EXPECT_EQ(bob.brings(bob.undo(follow)).status, 202);
    w.run_inbox();
    const auto seen = [&] { return w.read([](db::Read& db) { return db.one(test_still_seen); }); };
    const auto lately = seen();
    EXPECT_GT(lately, 0);
    w.write([](db::Write& db) { db.run(test_seen_long_ago, 2'001); });
    w.write(federation::purge_inbox);
    w.run_jobs();
    EXPECT_EQ(seen(), lately);
}

TEST_P(Inbox, wants_a_signature) {
    auto bob = Peer(w).known();
    auto request = bob.request(bob.follow(uri_of(w, alice)));
    std::erase_if(request.headers, [](const auto& h) { return h.first == "Signature"; });
    auto answer = bob.sends(request);
    EXPECT_EQ(answer.status, 401);
    EXPECT_NE(answer.error(), "absent");
    expect_no_trace();
}

TEST_P(Inbox, attack_1_refuses_the_key_of_one_for_the_deeds_of_another) {
    auto bob = Peer(w).known();
    Peer eve(w, "eve", "evil.example");
    eve.known();
    EXPECT_EQ(eve.brings(bob.follow(uri_of(w, alice))).status, 401);
    Peer stranger(w, "stranger", "other.example");
    EXPECT_EQ(eve.brings(stranger.follow(uri_of(w, alice))).status, 401);
    expect_no_trace();
}

TEST_P(Inbox, attack_2_does_nothing_for_a_signature_that_does_not_fit) {
    auto bob = Peer(w).known();
    bob.signs_with_another_key();
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice))).status, 401);
    expect_no_trace();
}

TEST_P(Inbox, attack_3_refuses_another_body_than_the_one_that_was_signed) {
    auto bob = Peer(w).known();
    auto request = bob.request(bob.follow(uri_of(w, alice)));
    request.body = bob.follow(uri_of(w, alice), "another");
    EXPECT_EQ(bob.sends(request).status, 401);
    std::erase_if(request.headers, [](const auto& h) { return h.first == "Digest"; });
    EXPECT_EQ(bob.sends(request).status, 401);
    expect_no_trace();
}

TEST_P(Inbox, attack_4_refuses_what_was_signed_for_another_server_or_inbox) {
    auto bob = Peer(w).known();
    auto request = bob.request(bob.follow(uri_of(w, alice)));
    request.target = "/users/alice/inbox";
    EXPECT_EQ(bob.sends(request).status, 401);
    auto elsewhere = bob.request(bob.follow(uri_of(w, alice)));
    for (auto& [name, value] : elsewhere.headers)
        if (name == "Host") value = "elsewhere.example";
    EXPECT_EQ(bob.sends(elsewhere).status, 401);
    expect_no_trace();
}

TEST_P(Inbox, attack_6_refuses_what_was_signed_long_ago) {
    auto bob = Peer(w).known();
    auto request = bob.request(bob.follow(uri_of(w, alice)));
    w.advance(14 * 3600);
    EXPECT_EQ(bob.sends(request).status, 401);
    w.advance(-28 * 3600);
    EXPECT_EQ(bob.sends(request).status, 401);
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(w.happened(), "");
}

TEST_P(Inbox, attack_6_does_what_is_brought_twice_once) {
    auto bob = Peer(w).known();
    const auto like = bob.like(uri_of(w, alice.status("hello")));
    w.happened();
    auto request = bob.request(like);
    EXPECT_EQ(bob.sends(request).status, 202);
    w.run_inbox();
    EXPECT_EQ(w.happened(), "Favourited");
    w.changed();
    EXPECT_EQ(bob.sends(request).status, 202);
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(bob.brings(like, "/users/alice/inbox").status, 202);
    w.run_inbox();
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(w.changed(), "");
}

TEST_P(Inbox, does_once_what_comes_to_two_inboxes_at_the_same_time) {
    auto bob = Peer(w).known();
    const auto like = bob.like(uri_of(w, alice.status("hello")));
    w.happened(), w.changed();
    EXPECT_EQ(bob.brings(like).status, 202);
    EXPECT_EQ(bob.brings(like, "/users/alice/inbox").status, 202);
    EXPECT_EQ(w.changed(), "inbox_items +2");
    EXPECT_EQ(w.run_inbox(), 2);
    EXPECT_EQ(w.happened(), "Favourited");
}

TEST_P(Inbox, fetches_the_key_of_somebody_who_is_not_known) {
    Peer bob(w);
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice))).status, 202);
    EXPECT_EQ(w.changed(), "inbox_items +1, fetched_keys +1");
    ASSERT_EQ(internet().asked.size(), 1u);
    EXPECT_EQ(internet().asked[0].url, bob.uri);
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice), "2")).status, 202);
    EXPECT_EQ(internet().asked.size(), 1u);
}

// PeerTube before 7 signs so.
TEST_P(Inbox, takes_the_id_of_an_actor_for_the_name_of_its_key) {
    Peer bob(w), carol = Peer(w, "carol").known();
    for (Peer* who : {&bob, &carol}) {
        who->key_id = who->uri;
        EXPECT_EQ(who->brings(who->follow(uri_of(w, alice), who->name)).status, 202) << who->name;
        w.run_inbox();
    }
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id + "/followers").ids().size(), 2u);
    const auto asked = internet().asked.size();
    EXPECT_EQ(carol.brings(carol.undo(carol.follow(uri_of(w, alice), "carol"))).status, 202);
    EXPECT_EQ(internet().asked.size(), asked) << "it is kept";
    Peer eve(w, "eve");
    eve.key_id = eve.uri;
    eve.signs_with_another_key();
    EXPECT_EQ(w.status_of(eve.request(eve.follow(uri_of(w, alice)))), 401);
}

TEST_P(Inbox, takes_a_key_that_stands_in_a_document_of_its_own) {
    Peer bob(w);
    bob.key_id = "https://far.example/keys/1";
    bob.publish();
    auto shown = [&](const std::string& context) {
        internet().page(
            bob.key_id,
            R"({"@context":")" + context + R"(","id":")" + bob.key_id + R"(","type":"Key","owner":")" +
                bob.uri + R"(","publicKeyPem":"-"})",
            "application/activity+json"
        );
    };
    shown("https://schema.org");
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice))).status, 401);
    w.advance(301);
    shown("https://w3id.org/security/v1");
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice))).status, 202);
}

TEST_P(Inbox, is_busy_while_a_key_cannot_be_fetched_and_does_not_insist) {
    Peer bob(w);
    internet().pages.clear();
    for (int i = 0; i < 3; ++i) {
        http::Request request = bob.request(bob.follow(uri_of(w, alice)));
        EXPECT_EQ(w.status_of(std::move(request)), 503);
    }
    EXPECT_EQ(internet().asked.size(), 1u);
    EXPECT_EQ(w.changed(), "fetched_keys +1");
    w.advance(301);
    bob.publish();
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice))).status, 202);
}

TEST_P(Inbox, attack_9_refuses_a_key_that_its_owner_does_not_list) {
    Peer bob(w), eve(w, "eve", "evil.example");
    // A document of evil.example that names a key of its own as bob's.
    eve.key_id = "https://evil.example/key";
    internet().page(
        eve.key_id,
        R"({"@context":"https://www.w3.org/ns/activitystreams","id":"https://evil.example/key","type":"Key","owner":")" +
            bob.uri + R"(","publicKeyPem":"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"})",
        "application/activity+json"
    );
    EXPECT_EQ(w.status_of(eve.request(bob.follow(uri_of(w, alice)))), 401);
    EXPECT_EQ(w.changed(), "fetched_keys +1");
    EXPECT_EQ(w.happened(), "");
}

TEST_P(Inbox, attack_10_asks_once_for_a_key_however_much_nonsense_is_signed_with_it) {
    auto bob = Peer(w).known();
    w.advance(600);
    bob.signs_with_another_key();
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice), std::to_string(i))).status, 401);
    EXPECT_EQ(internet().asked.size(), 1u);
    EXPECT_EQ(w.happened(), "");
}

TEST_P(Inbox, attack_10_asks_one_host_a_limited_number_of_times) {
    Peer bob(w);
    internet().pages.clear();
    for (int i = 0; i < 400; ++i) {
        bob.key_id = "https://far.example/keys/" + std::to_string(i);
        w.status_of(bob.request(bob.follow(uri_of(w, alice))));
    }
    EXPECT_EQ(internet().asked.size(), 300u);
}

// A node may have taken them without learning that it has, where its way to the database broke.
TEST_P(Inbox, does_what_was_taken_and_lost_after_two_minutes) {
    const auto bob = Peer(w).known();
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice))).status, 202);
    const auto lease = [&] {
        return w.write([](db::Write& db) { return federation::lease_items(db, 10, false).size(); });
    };
    EXPECT_EQ(lease(), 1u);
    w.advance(119);
    EXPECT_EQ(lease(), 0u) << "it may be under way";
    w.advance(2);
    EXPECT_EQ(w.run_inbox(), 1);
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id)["followers_count"], "1");
}

TEST_P(Inbox, believes_a_new_key_when_the_old_one_no_longer_fits) {
    auto bob = Peer(w).known();
    w.advance(600);
    bob.signs_with_another_key();
    bob.publish();
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice))).status, 202);
    EXPECT_EQ(internet().asked.size(), 1u);
    w.run_inbox();
    EXPECT_EQ(w.happened(), "Followed");
}

TEST_P(Inbox, lets_strangers_go_without_a_word) {
    Peer bob(w);
    EXPECT_EQ(bob.brings(bob.activity("Delete", bob.uri, "end")).status, 202);
    EXPECT_EQ(bob.brings(bob.activity("Update", bob.uri, "new")).status, 202);
    auto request = bob.request(bob.activity("Delete", bob.uri, "end"));
    request.headers.emplace_back("Signature", "of no kind");
    EXPECT_EQ(bob.sends(request).status, 202);
    EXPECT_TRUE(internet().asked.empty());
    expect_no_trace();
}

TEST_P(Inbox, needs_no_signature_for_the_end_of_a_stranger) {
    Peer bob(w);
    auto eve = Peer(w, "eve").known();
    auto unsigned_one = [&](const std::string& body, const std::string& inbox = "/inbox") {
        auto request = bob.request(body, inbox);
        std::erase_if(request.headers, [](const auto& h) {
            return h.first == "Signature" || h.first == "Content-Length";
        });
        request.headers.emplace_back("Content-Length", std::to_string(body.size()));
        return request;
    };
    w.happened(), w.changed();
    auto end = bob.activity("Delete", bob.uri, "end");
    EXPECT_EQ(bob.sends(unsigned_one(end)).status, 202);
    EXPECT_EQ(bob.sends(unsigned_one(end, "/users/alice/inbox")).status, 202);
    EXPECT_EQ(bob.sends(unsigned_one(bob.activity("Update", bob.uri, "new"))).status, 202);
    // Nothing else, and not of whom we know.
    EXPECT_EQ(bob.sends(unsigned_one(eve.activity("Delete", eve.uri, "end"))).status, 401);
    EXPECT_EQ(bob.sends(unsigned_one(bob.activity("Delete", bob.note_id("1"), "end"))).status, 401);
    EXPECT_EQ(bob.sends(unsigned_one(bob.follow(uri_of(w, alice)))).status, 401);
    EXPECT_EQ(bob.sends(unsigned_one("no JSON")).status, 401);
    EXPECT_EQ(bob.sends(unsigned_one("{}")).status, 401);
    // What is long, or of no known length, need not come.
    auto long_one = end;
    long_one.append(20'000, ' ');
    EXPECT_EQ(bob.sends(unsigned_one(long_one)).status, 401);
    auto endless = unsigned_one(end);
    std::erase_if(endless.headers, [](const auto& h) { return h.first == "Content-Length"; });
    EXPECT_EQ(bob.sends(endless).status, 401);
    EXPECT_TRUE(internet().asked.empty());
    expect_no_trace();
}

TEST_P(Inbox, is_closed_to_blocked_servers) {
    auto bob = Peer(w).known();
    Peer stranger(w, "eve", "sub.far.example");
    w.write([](db::Write& db) {
        instance::put_domain_block(db, {"far.example", instance::Severity::suspend});
    });
    w.run_jobs();
    w.happened(), w.changed();
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice))).status, 403);
    EXPECT_EQ(stranger.brings(stranger.follow(uri_of(w, alice))).status, 403);
    expect_no_trace();
}

TEST_P(Inbox, attack_13_drops_ids_of_other_hosts) {
    auto bob = Peer(w).known();
    auto body = bob.follow(uri_of(w, alice));
    auto at = body.find("https://far.example/activities");
    body.replace(at, std::string("https://far.example").size(), "https://other.example");
    EXPECT_EQ(bob.brings(body).status, 202);
    w.run_inbox();
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(w.changed(), "");
}

TEST_P(Inbox, tries_again_what_failed_for_now_and_gives_up_in_the_end) {
    Peer bob(w);
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice))).status, 202);
    internet().pages.clear();
    EXPECT_EQ(w.run_inbox(), 1);
    EXPECT_EQ(w.run_inbox(), 0);
    int tries = 1;
    for (int i = 0; i < 20; ++i) {
        w.advance(86'400);
        tries += w.run_inbox();
    }
    EXPECT_EQ(tries, 8);
    EXPECT_EQ(w.happened(), "");
}

TEST_P(Inbox, tries_again_when_a_strangers_handle_cannot_be_confirmed_for_now) {
    Peer bob(w);
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice))).status, 202);
    const std::string finger = "http://far.example/.well-known/webfinger?resource=acct:bob@far.example";
    auto good = internet().pages.at(finger);
    for (auto trouble : {base::FetchFailure::busy, base::FetchFailure::timeout}) {
        internet().pages[finger] = [=](const base::Fetch&) { return Fetched{trouble, 0, finger, {}, {}, 0}; };
        EXPECT_EQ(w.run_inbox(), 1);
        EXPECT_EQ(w.happened(), "");
        w.advance(3600);
    }
    internet().pages[finger] = [=](const base::Fetch&) {
        return Fetched{base::FetchFailure::none, 503, finger, {}, "", 0};
    };
    EXPECT_EQ(w.run_inbox(), 1);
    w.advance(3600);
    internet().pages[finger] = good;
    EXPECT_EQ(w.run_inbox(), 1);
    EXPECT_EQ(w.happened(), "PinsWanted, Followed");
}

TEST_P(Inbox, lets_go_at_once_who_has_no_such_handle) {
    Peer bob(w);
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice))).status, 202);
    internet().page(
        "http://far.example/.well-known/webfinger?resource=acct:bob@far.example",
        R"({"subject":"acct:bob@far.example","links":[{"rel":"self","type":"application/activity+json",)"
        R"("href":"https://far.example/users/carol"}]})",
        "application/jrd+json"
    );
    EXPECT_EQ(w.run_inbox(), 1);
    w.advance(86'400);
    EXPECT_EQ(w.run_inbox(), 0);
    EXPECT_EQ(w.happened(), "");
}

}  // namespace

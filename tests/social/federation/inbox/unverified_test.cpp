// SPDX-License-Identifier: AGPL-3.0-or-later
// What is received while the server of its key cannot be asked: taken, without any effect before it is verified.
#include "social/federation/inbox/unverified.hpp"
#include "base/uris.hpp"
#include "social/federation/peer.hpp"
#include "social/instance/domain_block.hpp"

const db::Command test_fill_unverified{
    "test_fill_unverified", "UPDATE unverified_hosts SET items = $1 WHERE host = ''"
};

namespace {

struct Unverified : OnEachWorld {
    Person alice = w.local("alice");

    // As the client answers while it asks a host for as much as it may.
    static void busy(const Peer& peer, std::int64_t retry_after = 0) {
        internet().pages[peer.uri] = [retry_after](const base::Fetch& asked) {
            Fetched answer;
            answer.failure = base::FetchFailure::busy;
            answer.url = asked.url;
            answer.retry_after = retry_after;
            return answer;
        };
    }
    std::size_t asked(const Peer& peer) {
        return static_cast<std::size_t>(std::ranges::count(internet().asked, peer.uri, &base::Fetch::url));
    }
};
ON_EACH_DATABASE(Unverified);

TEST_P(Unverified, is_taken_has_no_effect_and_is_done_when_its_turn_comes) {
    Peer bob(w);
    busy(bob);
    auto answer = bob.brings(bob.follow(uri_of(w, alice)));
    EXPECT_EQ(answer.status, 202);
    EXPECT_EQ(answer.body, "");
    EXPECT_EQ(w.changed(), "unverified_items +1");
    EXPECT_EQ(w.run_inbox(), 0);
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(w.happened(), "");

    bob.publish();
    EXPECT_EQ(w.run_inbox(), 0);  // it is not its turn yet
    w.advance(2);
    EXPECT_EQ(w.run_inbox(), 1);
    EXPECT_EQ(w.happened(), "PinsWanted, Followed");
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice), "2")).status, 202);
    EXPECT_EQ(w.run_inbox(), 1);
}

// The key is known then, the rest of its owner is not.
TEST_P(Unverified, is_no_try_of_what_is_done_about_it_when_the_server_is_not_asked_for_more) {
    Peer bob(w);
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice))).status, 202);
    busy(bob);
    for (int i = 0; i < 12; ++i) {
        EXPECT_EQ(w.run_inbox(), 1) << i;
        EXPECT_EQ(w.happened(), "");
        w.advance(2);
    }
    bob.publish();
    EXPECT_EQ(w.run_inbox(), 1);
    EXPECT_EQ(w.happened(), "PinsWanted, Followed");
}

TEST_P(Unverified, is_not_held_against_a_server_that_was_not_asked) {
    std::vector<Peer> peers;
    for (int i = 0; i < 60; ++i) peers.emplace_back(w, "p" + std::to_string(i));
    for (const auto& peer : peers) busy(peer);
    for (const auto& peer : peers)
        EXPECT_EQ(peer.brings(peer.follow(uri_of(w, alice), peer.name)).status, 202);
    EXPECT_EQ(w.changed(), "unverified_items +60");
    for (const auto& peer : peers) peer.publish();
    w.advance(1);
    int done = w.run_inbox();
    EXPECT_EQ(done, 60);
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id)["followers_count"], "60");
}

TEST_P(Unverified, of_one_key_stays_in_order_and_has_it_asked_for_once) {
    Peer bob(w);
    busy(bob);
    auto follow = bob.follow(uri_of(w, alice));
    EXPECT_EQ(bob.brings(follow).status, 202);
    bob.publish();
    // The second one finds the server ready, and the first one in front of it.
    EXPECT_EQ(bob.brings(bob.undo(follow)).status, 202);
    EXPECT_EQ(asked(bob), 1u);
    EXPECT_EQ(w.changed(), "unverified_items +2");
    w.run_inbox();
    EXPECT_EQ(w.happened(), "PinsWanted, Followed, Unfollowed");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id)["followers_count"], "0");
}

TEST_P(Unverified, attack_2_comes_to_nothing_when_its_signature_does_not_fit) {
    Peer bob(w);
    busy(bob);
    auto forged = bob;
    forged.signs_with_another_key();
    EXPECT_EQ(forged.brings(bob.follow(uri_of(w, alice))).status, 202);
    EXPECT_EQ(w.changed(), "unverified_items +1");
    bob.publish();
    EXPECT_EQ(w.run_inbox(), 0);
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(w.changed(), "fetched_keys +1, unverified_items -1");
}

TEST_P(Unverified, attack_1_comes_to_nothing_when_somebody_else_signed_it) {
    Peer bob(w), eve(w, "eve", "evil.example");
    busy(eve);
    EXPECT_EQ(eve.brings(bob.follow(uri_of(w, alice))).status, 202);
    eve.publish();
    EXPECT_EQ(w.run_inbox(), 0);
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(w.changed(), "fetched_keys +1");
    EXPECT_EQ(asked(bob), 0u);
}

TEST_P(Unverified, attack_6_is_as_old_as_it_was_when_it_came) {
    Peer bob(w);
    busy(bob);
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice))).status, 202);
    w.advance(20 * 3600);
    bob.publish();
    EXPECT_EQ(w.run_inbox(), 1);
    EXPECT_EQ(w.happened(), "PinsWanted, Followed");
}

TEST_P(Unverified, is_dropped_when_its_server_was_blocked_meanwhile) {
    Peer bob(w);
    busy(bob);
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice))).status, 202);
    w.write([](db::Write& db) {
        instance::put_domain_block(db, {"far.example", instance::Severity::suspend});
    });
    bob.publish();
    w.run_jobs();
    w.happened(), w.changed();
    EXPECT_EQ(w.run_inbox(), 0);
    EXPECT_EQ(w.changed(), "unverified_items -1");
    EXPECT_EQ(asked(bob), 1u);
}

TEST_P(Unverified, is_tried_again_while_its_server_fails_and_given_up_in_the_end) {
    Peer bob(w);
    busy(bob);
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice))).status, 202);
    EXPECT_EQ(w.changed(), "unverified_items +1");
    internet().pages.clear();
    internet().asked.clear();
    for (int i = 0; i < 100; ++i) {
        w.run_inbox();
        w.advance(1800);
    }
    EXPECT_EQ(asked(bob), 5u);
    EXPECT_EQ(w.changed(), "fetched_keys +1, unverified_items -1");
    EXPECT_EQ(w.happened(), "");
}

TEST_P(Unverified, of_a_server_that_cannot_be_asked_holds_up_nothing_of_others) {
    Peer bob(w), carol(w, "carol", "other.example");
    busy(bob, 30);
    busy(carol);
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice))).status, 202);
    EXPECT_EQ(carol.brings(carol.follow(uri_of(w, alice))).status, 202);
    carol.publish();
    EXPECT_EQ(w.run_inbox(), 1);
    EXPECT_EQ(w.happened(), "PinsWanted, Followed");
    // Nor is it asked before it wished to be.
    w.advance(29);
    auto before = asked(bob);
    w.run_inbox();
    EXPECT_EQ(asked(bob), before);
    w.advance(2);
    w.run_inbox();
    EXPECT_EQ(asked(bob), before + 1);
}

TEST_P(Unverified, attack_73_is_so_much_of_a_server_and_no_more) {
    Peer bob(w), carol(w, "carol", "other.example");
    busy(bob);
    busy(carol);
    auto large = [&](int number) {
        return bob.activity(
            "Follow",
            uri_of(w, alice),
            std::to_string(number),
            R"(,"x":")" + std::string(1'000'000, 'x') + '"'
        );
    };
    for (int i = 0; i < 8; ++i) EXPECT_EQ(bob.brings(large(i)).status, 202);
    EXPECT_EQ(w.changed(), "unverified_items +8");
    http::Request request = bob.request(large(9));
    EXPECT_EQ(w.status_of(std::move(request)), 503);
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(carol.brings(carol.follow(uri_of(w, alice))).status, 202);
    // There is room again when some were done.
    bob.publish();
    w.advance(5);
    w.run_inbox();
    w.changed();
    busy(bob);
    Peer dave(w, "dave");
    busy(dave);
    EXPECT_EQ(dave.brings(dave.follow(uri_of(w, alice))).status, 202);
    EXPECT_EQ(w.changed(), "unverified_items +1");
}

TEST_P(Unverified, attack_73_is_so_many_of_a_server_and_so_many_in_all) {
    auto put = [&](const std::string& host) {
        return w.write([&](db::Write& db) {
            federation::Unverified item;
            item.host = host, item.key = "https://" + host + "/key", item.target = "/inbox";
            item.headers = "[]", item.body = "{}";
            return federation::keep(db, item);
        });
    };
    for (int i = 0; i < federation::most_unverified_of_host; ++i) ASSERT_TRUE(put("a.example")) << i;
    EXPECT_FALSE(put("a.example"));
    EXPECT_TRUE(put("b.example"));
    w.write([](db::Write& db) { db.run(test_fill_unverified, federation::most_unverified); });
    EXPECT_FALSE(put("c.example"));
    EXPECT_FALSE(put("b.example"));
}

TEST_P(Unverified, attack_10_makes_us_ask_one_server_no_more_often) {
    Peer bob(w);
    internet().pages.clear();
    for (int i = 0; i < 400; ++i) {
        bob.key_id = "https://far.example/keys/" + std::to_string(i);
        w.status_of(bob.request(bob.follow(uri_of(w, alice))));
    }
    EXPECT_EQ(internet().asked.size(), 300u);
    EXPECT_EQ(w.changed(), "fetched_keys +300, unverified_items +100");
    // The queue keeps to the same number.
    for (int i = 0; i < 20; ++i) {
        w.advance(10);
        w.run_inbox();
    }
    EXPECT_EQ(internet().asked.size(), 300u);
    EXPECT_EQ(w.happened(), "");
}

TEST_P(Unverified, is_nothing_of_many_strangers_whose_keys_hold) {
    for (int i = 0; i < 320; ++i) {
        Peer one(w, "p" + std::to_string(i));
        EXPECT_EQ(one.brings(one.follow(uri_of(w, alice), one.name)).status, 202);
    }
    EXPECT_EQ(w.changed(), "inbox_items +320, fetched_keys +320");
}

}  // namespace

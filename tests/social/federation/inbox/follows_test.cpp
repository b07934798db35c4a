// SPDX-License-Identifier: AGPL-3.0-or-later
// Follows and blocks between here and other servers. Numbers are those of the list of attacks.
#include "social/federation/peer.hpp"

#include "base/uris.hpp"

namespace {

struct FarFollows : OnEachWorld {
    Person alice = w.local("alice");
    Peer bob = Peer(w).known();

    void comes(const std::string& body) {
        EXPECT_EQ(bob.brings(body).status, 202);
        w.run_inbox();
    }
    std::string number() const { return std::to_string(bob.id.value); }
    std::string pair_state() const {
        auto of = alice.get("/api/v1/accounts/relationships", {{"id[]", number()}});
        std::string out;
        for (auto word : {"following", "requested", "followed_by", "requested_by", "blocked_by"})
            if (of["0." + std::string(word)] == "true") out += (out.empty() ? "" : " ") + std::string(word);
        return out;
    }
    // alice asks to follow bob; the Follow as this server sends it.
    std::string asks() {
        EXPECT_EQ(alice.post("/api/v1/accounts/" + number() + "/follow").status, 200);
        w.happened();
        return R"({"type":"Follow","actor":")" + uri_of(w, alice) + R"(","object":")" + bob.uri + "\"}";
    }
};
ON_EACH_DATABASE(FarFollows);

TEST_P(FarFollows, begin_and_end) {
    auto follow = bob.follow(uri_of(w, alice));
    comes(follow);
    EXPECT_EQ(pair_state(), "followed_by");
    comes(bob.undo(follow));
    EXPECT_EQ(pair_state(), "");
    EXPECT_EQ(w.happened(), "Followed, Unfollowed");
}

TEST_P(FarFollows, of_a_locked_account_wait_and_may_be_taken_back) {
    alice.patch("/api/v1/accounts/update_credentials", {{"locked", "true"}});
    w.happened();
    auto follow = bob.follow(uri_of(w, alice));
    comes(follow);
    EXPECT_EQ(pair_state(), "requested_by");
    comes(bob.undo(follow));
    EXPECT_EQ(pair_state(), "");
    EXPECT_EQ(w.happened(), "FollowRequested, FollowRequestAnswered");
}

TEST_P(FarFollows, are_undone_by_their_id_alone) {
    auto follow = bob.follow(uri_of(w, alice));
    comes(follow);
    comes(bob.activity("Undo", "https://far.example/activities/follow-1", "undo"));
    EXPECT_EQ(pair_state(), "");
}

TEST_P(FarFollows, are_undone_by_an_object_of_no_type) {
    comes(bob.follow(uri_of(w, alice)));
    comes(bob.activity("Undo", R"({"id":"https://far.example/activities/follow-1"})", "undo"));
    EXPECT_EQ(pair_state(), "");
}

TEST_P(FarFollows, are_not_undone_by_others) {
    comes(bob.follow(uri_of(w, alice)));
    Peer eve(w, "eve", "far.example");
    eve.known();
    EXPECT_EQ(eve.brings(eve.activity("Undo", "https://far.example/activities/follow-1", "e1")).status, 202);
    EXPECT_EQ(eve.brings(eve.undo(bob.follow(uri_of(w, alice)))).status, 202);
    w.run_inbox();
    EXPECT_EQ(pair_state(), "followed_by");
}

TEST_P(FarFollows, that_were_undone_before_they_came_do_not_begin) {
    auto follow = bob.follow(uri_of(w, alice));
    comes(bob.undo(follow));
    comes(follow);
    EXPECT_EQ(pair_state(), "");
    EXPECT_EQ(w.happened(), "");
    w.advance(7 * 3600);
    comes(bob.follow(uri_of(w, alice), "2"));
    EXPECT_EQ(pair_state(), "followed_by");
}

TEST_P(FarFollows, of_whom_one_blocks_are_refused) {
    alice.post("/api/v1/accounts/" + number() + "/block");
    w.happened();
    comes(bob.follow(uri_of(w, alice)));
    EXPECT_EQ(pair_state(), "");
    EXPECT_EQ(w.happened(), "FollowRefused");
}

TEST_P(FarFollows, of_the_server_itself_are_refused) {
    comes(bob.follow(base::uris::actor(w.site(), base::uris::server_actor)));
    EXPECT_EQ(w.happened(), "FollowRefused");
}

TEST_P(FarFollows, of_strangers_elsewhere_are_nothing_to_us) {
    comes(bob.follow("https://third.example/users/carol"));
    EXPECT_EQ(w.happened(), "");
}

TEST_P(FarFollows, wait_for_the_other_server_to_accept) {
    auto follow = asks();
    EXPECT_EQ(pair_state(), "requested");
    comes(bob.activity("Accept", follow, "accept"));
    EXPECT_EQ(pair_state(), "following");
    EXPECT_EQ(w.happened(), "FollowRequestAnswered, Followed");
}

TEST_P(FarFollows, are_refused_and_ended_by_a_reject) {
    auto follow = asks();
    comes(bob.activity("Reject", follow, "no"));
    EXPECT_EQ(pair_state(), "");
    EXPECT_EQ(w.happened(), "FollowRequestAnswered");
    asks();
    comes(bob.activity("Accept", follow, "yes"));
    w.happened();
    comes(bob.activity("Reject", follow, "no more"));
    EXPECT_EQ(pair_state(), "");
    EXPECT_EQ(w.happened(), "Unfollowed");
}

// Hollo names its answers by whom they are for, and nothing else.
TEST_P(FarFollows, take_answers_under_the_id_of_earlier_ones) {
    for (int turn = 0; turn < 2; ++turn) {
        const auto asked = [&](const std::string& id) {
            auto follow = asks();
            return follow.insert(
                1, R"("id":")" + uri_of(w, alice) + "#follows/" + id + std::to_string(turn) + "\","
            );
        };
        comes(bob.activity("Accept", asked("a"), "accepts-alice"));
        EXPECT_EQ(pair_state(), "following");
        alice.post("/api/v1/accounts/" + number() + "/unfollow");
        comes(bob.activity("Reject", asked("b"), "rejects-alice"));
        EXPECT_EQ(pair_state(), "");
    }
}

TEST_P(FarFollows, do_not_end_by_an_end_of_before_that_comes_again) {
    const auto undo = bob.activity("Undo", bob.follow(uri_of(w, alice), "first"), "first/undo");
    comes(bob.follow(uri_of(w, alice), "first"));
    comes(undo);
    EXPECT_EQ(pair_state(), "");
    comes(bob.follow(uri_of(w, alice), "second"));
    EXPECT_EQ(bob.brings(undo, "/users/alice/inbox").status, 202);
    w.run_inbox();
    EXPECT_EQ(pair_state(), "followed_by");
}

// Misskey's Undo of a Follow names one by the two of them, which never came.
TEST_P(FarFollows, end_each_time_by_one_that_never_came) {
    const auto undo =
        bob.activity("Undo", bob.follow(uri_of(w, alice), "follows/bob/alice"), "follows/bob/alice/undo");
    for (const char* id : {"a", "b", "c"}) {
        comes(bob.follow(uri_of(w, alice), id));
        EXPECT_EQ(pair_state(), "followed_by");
        EXPECT_EQ(bob.brings(undo).status, 202);
        EXPECT_EQ(bob.brings(undo, "/users/alice/inbox").status, 202);
        w.run_inbox();
        EXPECT_EQ(pair_state(), "");
    }
}

// Misskey names the Undo of a Follow by the two of them, and its forks the Follow, too.
TEST_P(FarFollows, begin_and_end_each_time_under_the_same_ids) {
    const auto undo = [&](const std::string& follow) {
        return bob.activity("Undo", follow, "follows/bob/alice/undo");
    };
    for (const char* id : {"a", "b", "b", "b"}) {
        const auto follow = bob.follow(uri_of(w, alice), id);
        comes(follow);
        EXPECT_EQ(pair_state(), "followed_by");
        EXPECT_EQ(bob.brings(undo(follow)).status, 202);
        EXPECT_EQ(bob.brings(undo(follow), "/users/alice/inbox").status, 202);
        w.run_inbox();
        EXPECT_EQ(pair_state(), "");
    }
}

// Pixelfed names a Follow by the two of them, and in its Undo one that never came.
TEST_P(FarFollows, begin_again_under_their_id_however_they_ended) {
    const auto follow = bob.follow(uri_of(w, alice), "follow/alice");
    const auto begins = [&](const char* after) {
        comes(follow);
        EXPECT_EQ(pair_state(), "followed_by") << after;
    };
    begins("nothing");
    EXPECT_EQ(alice.post("/api/v1/accounts/" + number() + "/remove_from_followers").status, 200);
    EXPECT_EQ(pair_state(), "");
    begins("their removal");
    for (int turn = 0; turn < 2; ++turn) {
        comes(bob.undo(bob.follow(uri_of(w, alice), "follows/alice")));
        EXPECT_EQ(pair_state(), "");
        begins("an Undo");
    }
    for (const char* path : {"/block", "/unblock"})
        EXPECT_EQ(alice.post("/api/v1/accounts/" + number() + path).status, 200);
    // Their server heard of the end and says so, too.
    comes(bob.undo(follow));
    EXPECT_EQ(pair_state(), "");
    begins("a block");
}

TEST_P(FarFollows, are_answered_again_when_they_come_again) {
    const auto follow = bob.follow(uri_of(w, alice));
    comes(follow);
    w.advance(60);
    comes(follow);
    EXPECT_EQ(w.happened(), "Followed, FollowRepeated");
}

TEST_P(FarFollows, are_requests_again_when_the_acceptance_is_undone) {
    auto follow = asks();
    auto accept = bob.activity("Accept", follow, "yes");
    comes(accept);
    comes(bob.undo(accept));
    EXPECT_EQ(pair_state(), "requested");
}

TEST_P(FarFollows, attack_17_are_not_accepted_by_a_third_party_or_unasked) {
    auto follow = asks();
    Peer eve(w, "eve", "far.example");
    eve.known();
    EXPECT_EQ(eve.brings(eve.activity("Accept", follow, "e1")).status, 202);
    w.run_inbox();
    EXPECT_EQ(pair_state(), "requested");
    EXPECT_EQ(w.happened(), "");
    alice.post("/api/v1/accounts/" + number() + "/unfollow");
    w.happened();
    comes(bob.activity("Accept", follow, "late"));
    EXPECT_EQ(pair_state(), "");
    comes(bob.activity("Reject", follow, "late no"));
    EXPECT_EQ(w.happened(), "");
}

TEST_P(FarFollows, end_both_ways_by_a_block_until_it_is_undone) {
    comes(bob.follow(uri_of(w, alice)));
    auto follow = asks();
    comes(bob.activity("Accept", follow, "yes"));
    w.happened();
    auto block = bob.activity("Block", uri_of(w, alice), "block");
    comes(block);
    EXPECT_EQ(w.happened(), "Unfollowed, Unfollowed, Blocked");
    EXPECT_EQ(alice.post("/api/v1/accounts/" + number() + "/follow").status, 403);
    comes(bob.undo(block));
    EXPECT_EQ(alice.post("/api/v1/accounts/" + number() + "/follow").status, 200);
}

TEST_P(FarFollows, attack_11_of_suspended_people_do_not_begin) {
    auto follow = bob.follow(uri_of(w, alice));
    comes(follow);
    w.happened();
    Person him;
    him.id = number();
    w.suspend(him);
    comes(bob.follow(uri_of(w, alice), "2"));
    EXPECT_EQ(w.happened(), "");
    comes(bob.undo(follow));
    EXPECT_EQ(w.happened(), "Unfollowed");
}

}  // namespace

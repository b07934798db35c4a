// SPDX-License-Identifier: AGPL-3.0-or-later
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct Follows : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");

    static std::string path(const Person& p, const std::string& verb) {
        return "/api/v1/accounts/" + p.id + "/" + verb;
    }
    Answer relationship(const Person& me, const Person& other) {
        return me.get("/api/v1/accounts/relationships", {{"id", other.id}});
    }
    void lock(const Person& p, bool locked = true) {
        EXPECT_EQ(
            p.patch("/api/v1/accounts/update_credentials", {{"locked", locked ? "true" : "false"}}).status,
            200
        );
        w.happened();
        w.changed();
    }
};
ON_EACH_DATABASE(Follows);

TEST_P(Follows, begin_at_once_and_tell_the_followed) {
    auto answer = alice.post(path(bob, "follow"));
    EXPECT_EQ(answer["following"], "true");
    EXPECT_EQ(answer["requested"], "false");
    EXPECT_EQ(answer["showing_reblogs"], "true");
    EXPECT_EQ(answer["notifying"], "false");
    EXPECT_EQ(answer["languages"], "null");
    EXPECT_EQ(w.happened(), "Followed");
    EXPECT_EQ(w.changed(), "follows +1, notifications +1, jobs +1");
    EXPECT_EQ(relationship(bob, alice)["0.followed_by"], "true");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id)["following_count"], "1");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + bob.id)["followers_count"], "1");
    EXPECT_THAT(bob.get("/api/v1/notifications").all("type"), ElementsAre("follow"));
    EXPECT_EQ(w.happened() + w.changed(), "");
}

TEST_P(Follows, repeated_change_only_what_is_given) {
    alice.follows(bob, {{"notify", "true"}, {"languages[]", "de"}});
    w.happened(), w.changed();
    auto answer = alice.post(path(bob, "follow"), {{"reblogs", "false"}});
    EXPECT_EQ(answer["showing_reblogs"], "false");
    EXPECT_EQ(answer["notifying"], "true");
    EXPECT_EQ(answer["languages"], R"(["de"])");
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + bob.id)["followers_count"], "1");
}

TEST_P(Follows, refuse_oneself_unknown_people_and_unknown_languages) {
    auto self = alice.post(path(alice, "follow"));
    EXPECT_EQ(self.status, 403);
    EXPECT_EQ(self.error(), "Following your own account is not allowed");
    EXPECT_EQ(alice.post("/api/v1/accounts/1/follow").status, 404);
    EXPECT_EQ(alice.post(path(w.unconfirmed("ursula"), "follow")).status, 404);
    EXPECT_EQ(alice.post(path(bob, "follow"), {{"languages[]", "klingon"}}).status, 422);
    w.suspend(carol);
    EXPECT_EQ(alice.post(path(carol, "follow")).status, 404);
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(w.changed(), "");
}

TEST_P(Follows, are_refused_across_a_block_in_either_direction) {
    bob.blocks(alice);
    alice.blocks(carol);
    w.happened(), w.changed();
    for (const auto& who : {bob, carol}) {
        auto answer = alice.post(path(who, "follow"));
        EXPECT_EQ(answer.status, 403);
        EXPECT_EQ(answer.error(), "This action is not allowed");
    }
    EXPECT_EQ(w.happened() + w.changed(), "");
}

TEST_P(Follows, of_a_locked_account_wait_as_requests) {
    lock(bob);
    auto answer = alice.post(path(bob, "follow"));
    EXPECT_EQ(answer["following"], "false");
    EXPECT_EQ(answer["requested"], "true");
    EXPECT_EQ(w.happened(), "FollowRequested");
    EXPECT_EQ(w.changed(), "follow_requests +1, notifications +1");
    EXPECT_EQ(relationship(bob, alice)["0.requested_by"], "true");
    EXPECT_THAT(bob.get("/api/v1/follow_requests").ids(), ElementsAre(alice.id));
    EXPECT_THAT(bob.get("/api/v1/notifications").all("type"), ElementsAre("follow_request"));
    EXPECT_EQ(bob.get("/api/v1/accounts/verify_credentials")["source.follow_requests_count"], "1");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + bob.id)["followers_count"], "0");
}

TEST_P(Follows, by_a_limited_account_wait_as_requests) {
    w.silence(alice);
    EXPECT_EQ(alice.post(path(bob, "follow"))["requested"], "true");
}

TEST_P(Follows, asked_for_begin_when_authorized) {
    lock(bob);
    alice.follows(bob, {{"reblogs", "false"}});
    w.happened(), w.changed();
    auto answer = bob.post("/api/v1/follow_requests/" + alice.id + "/authorize");
    EXPECT_EQ(answer["followed_by"], "true");
    EXPECT_EQ(answer["requested_by"], "false");
    EXPECT_EQ(w.happened(), "FollowRequestAnswered, Followed");
    EXPECT_EQ(
        w.changed(), "follows +1, follow_requests -1, jobs +1"
    );  // one notification takes the place of the other
    EXPECT_EQ(relationship(alice, bob)["0.showing_reblogs"], "false");
    EXPECT_THAT(bob.get("/api/v1/notifications").all("type"), ElementsAre("follow"));
    EXPECT_EQ(bob.post("/api/v1/follow_requests/" + alice.id + "/authorize").status, 404);
}

TEST_P(Follows, asked_for_end_when_rejected) {
    lock(bob);
    alice.follows(bob);
    w.happened(), w.changed();
    EXPECT_EQ(bob.post("/api/v1/follow_requests/" + alice.id + "/reject")["requested_by"], "false");
    EXPECT_EQ(w.happened(), "FollowRequestAnswered");
    EXPECT_EQ(w.changed(), "follow_requests -1, notifications -1");
    EXPECT_EQ(relationship(alice, bob)["0.requested"], "false");
    EXPECT_EQ(bob.post("/api/v1/follow_requests/" + alice.id + "/reject").status, 404);
}

TEST_P(Follows, asked_for_are_let_in_by_unlocking_but_for_limited_accounts) {
    lock(bob);
    alice.follows(bob);
    carol.follows(bob);
    w.silence(carol);
    lock(bob, false);
    EXPECT_EQ(relationship(alice, bob)["0.following"], "true");
    EXPECT_EQ(relationship(carol, bob)["0.requested"], "true");
    EXPECT_EQ(bob.get("/api/v1/accounts/verify_credentials")["followers_count"], "1");
}

TEST_P(Follows, end_with_their_entries_and_counts) {
    bob.status("hello");
    alice.follows(bob);
    w.run_jobs();
    w.happened(), w.changed();
    auto answer = alice.post(path(bob, "unfollow"));
    EXPECT_EQ(answer["following"], "false");
    EXPECT_EQ(w.happened(), "Unfollowed");
    EXPECT_EQ(w.changed(), "follows -1, notifications -1, jobs +1");
    w.run_jobs();
    EXPECT_EQ(w.changed(), "home_entries -1, jobs -1");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + bob.id)["followers_count"], "0");
    EXPECT_EQ(alice.post(path(bob, "unfollow")).status, 200);
    EXPECT_EQ(w.happened() + w.changed(), "");
}

TEST_P(Follows, asked_for_are_taken_back_by_unfollowing) {
    lock(bob);
    alice.follows(bob);
    w.happened(), w.changed();
    EXPECT_EQ(alice.post(path(bob, "unfollow"))["requested"], "false");
    EXPECT_EQ(w.happened(), "FollowRequestAnswered");
    EXPECT_EQ(w.changed(), "follow_requests -1, notifications -1");
}

TEST_P(Follows, can_be_ended_by_the_followed) {
    alice.follows(bob);
    w.happened();
    EXPECT_EQ(bob.post(path(alice, "remove_from_followers"))["followed_by"], "false");
    EXPECT_EQ(w.happened(), "Unfollowed");
    EXPECT_EQ(alice.post(path(bob, "follow"))["following"], "true");
}

TEST_P(Follows, are_listed_newest_first_page_by_page) {
    std::vector<Person> people;
    for (int i = 0; i < 5; ++i) {
        people.push_back(w.local("p" + std::to_string(i)));
        people.back().follows(bob);
    }
    auto list = "/api/v1/accounts/" + bob.id + "/followers";
    EXPECT_THAT(
        alice.get(list).ids(),
        ElementsAre(people[4].id, people[3].id, people[2].id, people[1].id, people[0].id)
    );
    EXPECT_EQ(alice.get(list).link("next"), "");
    auto first = alice.get(list, {{"limit", "2"}});
    EXPECT_THAT(first.ids(), ElementsAre(people[4].id, people[3].id));
    auto second = alice.get(first.link("next"));
    EXPECT_THAT(second.ids(), ElementsAre(people[2].id, people[1].id));
    EXPECT_NE(second.link("prev").find("since_id="), std::string::npos);
    EXPECT_NE(second.link("prev").find("limit=2"), std::string::npos);
    EXPECT_THAT(
        alice.get(alice.get(second.link("next")).link("prev")).ids(), ElementsAre(people[4].id, people[3].id)
    );
    auto last = alice.get(second.link("next"));
    EXPECT_THAT(last.ids(), ElementsAre(people[0].id));
    EXPECT_EQ(last.link("next"), "");
    EXPECT_THAT(alice.get(list, {{"limit", "0"}}).ids(), IsEmpty());
    EXPECT_THAT(w.anonymous().get(list).ids().size(), 5u);
}

TEST_P(Follows, of_hidden_people_are_left_out_of_lists_of_others) {
    carol.follows(bob);
    auto dora = w.local("dora");
    dora.follows(bob);
    auto list = "/api/v1/accounts/" + bob.id + "/followers";
    alice.mutes(carol);
    dora.blocks(alice);
    EXPECT_THAT(alice.get(list).ids(), IsEmpty());
    EXPECT_THAT(bob.get(list).ids(), ElementsAre(dora.id, carol.id));
    bob.blocks(alice);
    EXPECT_EQ(alice.get(list).body, "[]");
    EXPECT_EQ(bob.patch("/api/v1/accounts/update_credentials", {{"hide_collections", "true"}}).status, 200);
    EXPECT_EQ(dora.get(list).body, "[]");
    EXPECT_EQ(bob.get(list).ids().size(), 2u);
    EXPECT_EQ(dora.get("/api/v1/accounts/" + bob.id)["followers_count"], "2");
}

TEST_P(Follows, relationships_come_in_the_order_asked_for) {
    alice.follows(bob);
    w.suspend(carol);
    auto dora = w.local("dora");
    auto ask = [&](const Fields& extra) {
        Fields fields{
            {"id[]", dora.id},
            {"id[]", "12345"},
            {"id[]", carol.id},
            {"id[]", bob.id},
            {"id[]", alice.id},
            {"id[]", "abc"}
        };
        fields.insert(fields.end(), extra.begin(), extra.end());
        return alice.get("/api/v1/accounts/relationships", fields).ids();
    };
    EXPECT_THAT(ask({}), ElementsAre(dora.id, bob.id, alice.id));
    EXPECT_THAT(ask({{"with_suspended", "true"}}), ElementsAre(dora.id, carol.id, bob.id, alice.id));
    EXPECT_THAT(alice.get("/api/v1/accounts/relationships").ids(), IsEmpty());
}

TEST_P(Follows, cost_the_same_queries_for_one_and_for_forty_relationships) {
    Fields one{{"id[]", bob.id}}, forty;
    for (int i = 0; i < 40; ++i) forty.emplace_back("id[]", w.local("p" + std::to_string(i)).id);
    alice.get("/api/v1/accounts/relationships", one);
    w.queries();
    alice.get("/api/v1/accounts/relationships", one);
    auto few = w.queries();
    EXPECT_EQ(alice.get("/api/v1/accounts/relationships", forty).ids().size(), 40u);
    EXPECT_EQ(w.queries(), few);
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// Who may answer a post, and what its author does with answers, between people of this server.
#include "social/statuses/scheduled/scheduled.hpp"
#include "support/periodic.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct ReplyControl : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");

    std::vector<std::string> thread(const Person& viewer, const std::string& id) {
        auto answer = viewer.get("/api/v1/statuses/" + id + "/context");
        std::vector<std::string> out;
        for (int i = 0; answer["descendants." + std::to_string(i) + ".id"] != "absent"; ++i)
            out.push_back(answer["descendants." + std::to_string(i) + ".id"]);
        return out;
    }
    std::string count(const std::string& id) { return alice.get("/api/v1/statuses/" + id)["replies_count"]; }
    std::string state(const std::string& id) { return alice.get("/api/v1/statuses/" + id)["reply_state"]; }
    Answer does(
        const Person& who, const std::string& what, const std::string& parent, const std::string& reply
    ) {
        return who.post("/api/dunlin/v1/statuses/" + parent + "/replies/" + reply + "/" + what);
    }
    std::vector<std::string> waiting(const Person& who) {
        return who.get("/api/dunlin/v1/pending_replies").ids();
    }
};
ON_EACH_DATABASE(ReplyControl);

TEST_P(ReplyControl, says_who_may_answer_only_where_not_everybody_may) {
    auto open = alice.status("hello"), closed = alice.status("hello", {{"reply_policy", "followers"}});
    EXPECT_EQ(bob.get("/api/v1/statuses/" + open)["reply_policy"], "absent");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + closed)["reply_policy"], "followers");
    EXPECT_EQ(alice.post("/api/v1/statuses", {{"status", "x"}, {"reply_policy", "friends"}}).status, 422);
}

TEST_P(ReplyControl, lets_those_answer_whom_the_policy_names_and_keeps_the_others_for_the_author) {
    bob.follows(alice);
    alice.follows(carol);
    struct Row {
        std::string policy, text;
        bool bob_may, carol_may;
    };
    const Row rows[] = {
        {"public", "hello", true, true},
        {"followers", "hello", true, false},
        {"following", "hello", false, true},
        {"mentioned", "hello @carol", false, true},
        {"mentioned", "hello", false, false},
    };
    for (const auto& row : rows) {
        auto post = alice.status(row.text, {{"reply_policy", row.policy}});
        auto of_bob = bob.answers(post, "an answer"), of_carol = carol.answers(post, "another");
        std::vector<std::string> shown, kept;
        (row.bob_may ? shown : kept).push_back(of_bob);
        (row.carol_may ? shown : kept).push_back(of_carol);
        EXPECT_EQ(thread(w.anonymous(), post), shown) << row.policy;
        EXPECT_EQ(thread(alice, post), (std::vector{of_bob, of_carol})) << row.policy;
        EXPECT_EQ(count(post), std::to_string(shown.size())) << row.policy;
        std::ranges::reverse(kept);
        EXPECT_EQ(waiting(alice), kept) << row.policy;
        for (const auto& id : kept) does(alice, "refuse", post, id);
    }
}

TEST_P(ReplyControl, refuses_at_once_where_nobody_shall_answer_but_for_the_author_and_who_is_mentioned) {
    auto post = alice.status("to @carol", {{"reply_policy", "nobody"}});
    w.run_jobs();
    w.happened();
    w.changed();
    auto refused = bob.post("/api/v1/statuses", {{"status", "but"}, {"in_reply_to_id", post}});
    EXPECT_EQ(refused.status, 422);
    EXPECT_EQ(refused.error(), "The author of the post you are trying to reply to accepts no replies to it.");
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(w.changed(), "");
    auto mine = alice.answers(post, "also"), hers = carol.answers(post, "yes");
    EXPECT_THAT(thread(bob, post), testing::UnorderedElementsAre(mine, hers));
}

TEST_P(ReplyControl, shows_an_answer_that_waits_to_its_author_and_to_whom_it_answers_until_it_is_approved) {
    auto post = alice.status("hello", {{"reply_policy", "mentioned"}});
    auto reply = bob.answers(post, "an answer");
    auto below = alice.answers(reply, "to you alone");
    EXPECT_EQ(state(reply), "pending");
    EXPECT_THAT(thread(alice, post), ElementsAre(reply, below));
    EXPECT_THAT(thread(bob, post), ElementsAre(reply, below));
    EXPECT_THAT(thread(carol, post), IsEmpty());
    EXPECT_THAT(thread(w.anonymous(), post), IsEmpty());
    EXPECT_EQ(count(post), "0");
    w.happened();
    EXPECT_EQ(does(alice, "approve", post, reply)["reply_state"], "absent");
    EXPECT_EQ(w.happened(), "ReplyApproved");
    EXPECT_THAT(thread(carol, post), ElementsAre(reply, below));
    EXPECT_EQ(count(post), "1");
    EXPECT_THAT(waiting(alice), IsEmpty());
    does(alice, "approve", post, reply);  // again
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(count(post), "1");
}

TEST_P(ReplyControl, refuses_an_answer_which_then_is_none_but_stays_a_post) {
    auto post = alice.status("hello", {{"reply_policy", "followers"}});
    auto reply = bob.answers(post, "an answer");
    does(alice, "refuse", post, reply);
    EXPECT_EQ(bob.get("/api/v1/statuses/" + reply)["in_reply_to_id"], "null");
    EXPECT_THAT(thread(bob, post), IsEmpty());
    EXPECT_THAT(waiting(alice), IsEmpty());
    EXPECT_EQ(count(post), "0");
    EXPECT_EQ(does(alice, "approve", post, reply).status, 404);
}

TEST_P(ReplyControl, hides_an_answer_from_others_and_shows_it_again) {
    auto post = alice.status("hello");
    auto reply = bob.answers(post, "an answer"), below = carol.answers(reply, "to that");
    EXPECT_EQ(count(post), "1");
    does(alice, "hide", post, reply);
    does(alice, "hide", post, reply);
    EXPECT_EQ(state(reply), "hidden");
    EXPECT_THAT(thread(w.anonymous(), post), IsEmpty());
    EXPECT_THAT(thread(bob, post), ElementsAre(reply, below));
    EXPECT_THAT(thread(alice, post), ElementsAre(reply, below));
    EXPECT_EQ(count(post), "0");
    EXPECT_EQ(carol.get("/api/v1/statuses/" + reply).status, 200);  // by itself it is there
    auto uri = alice.get("/api/v1/statuses/" + post)["uri"].substr(w.site().public_url.size());
    EXPECT_EQ(w.anonymous().get(uri + "/replies?page=true&only_other_accounts=true")["items.0"], "absent");
    does(alice, "unhide", post, reply);
    EXPECT_THAT(thread(w.anonymous(), post), ElementsAre(reply, below));
    EXPECT_EQ(count(post), "1");
}

TEST_P(ReplyControl, hides_an_answer_that_waits_which_then_waits_no_more) {
    auto post = alice.status("hello", {{"reply_policy", "followers"}});
    auto reply = bob.answers(post, "an answer"), hers = carol.answers(post, "hers");
    EXPECT_THAT(waiting(alice), ElementsAre(hers, reply));
    w.happened();
    does(alice, "hide", post, reply);
    EXPECT_EQ(w.happened(), "");
    EXPECT_THAT(waiting(alice), ElementsAre(hers));
    EXPECT_EQ(state(reply), "hidden");
    EXPECT_EQ(count(post), "0");
    does(alice, "unhide", post, reply);
    EXPECT_EQ(w.happened(), "ReplyApproved");
    EXPECT_EQ(count(post), "1");
    EXPECT_THAT(waiting(alice), ElementsAre(hers));
    alice.blocks(carol);
    EXPECT_THAT(waiting(alice), IsEmpty());
}

TEST_P(ReplyControl, does_not_count_what_is_deleted_while_it_was_hidden) {
    auto post = alice.status("hello");
    auto first = bob.answers(post, "one"), second = bob.answers(post, "two");
    does(alice, "hide", post, first);
    bob.del("/api/v1/statuses/" + first);
    EXPECT_EQ(count(post), "1");
    bob.del("/api/v1/statuses/" + second);
    EXPECT_EQ(count(post), "0");
}

TEST_P(ReplyControl, is_the_authors_alone) {
    auto post = alice.status("hello", {{"reply_policy", "followers"}}), other = alice.status("else");
    auto reply = bob.answers(post, "an answer"), own = alice.answers(post, "mine");
    for (const std::string what : {"approve", "refuse", "hide", "unhide"}) {
        EXPECT_EQ(does(bob, what, post, reply).status, 403) << what;
        EXPECT_EQ(does(carol, what, post, reply).status, 403) << what;
        EXPECT_EQ(does(alice, what, other, reply).status, 404) << what;
        EXPECT_EQ(does(alice, what, post, own).status, 404) << what;
        EXPECT_EQ(does(alice, what, post, "1").status, 404) << what;
        EXPECT_EQ(does(w.with_scopes(alice, "read"), what, post, reply).status, 403) << what;
    }
    EXPECT_EQ(state(reply), "pending");
    EXPECT_THAT(waiting(bob), IsEmpty());
}

TEST_P(ReplyControl, can_be_changed_later_for_answers_that_come_then) {
    auto post = alice.status("hello");
    auto before = bob.answers(post, "early");
    w.run_jobs();
    w.happened();
    auto path = "/api/v1/statuses/" + post + "/interaction_policy";
    EXPECT_EQ(alice.put(path, {{"reply_policy", "followers"}})["reply_policy"], "followers");
    EXPECT_EQ(w.happened(), "InteractionPolicyChanged");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + post)["quote_approval.automatic.0"], "public");
    EXPECT_EQ(bob.put(path, {{"reply_policy", "public"}}).status, 403);
    auto after = bob.answers(post, "late");
    EXPECT_THAT(thread(carol, post), ElementsAre(before));
    EXPECT_THAT(waiting(alice), ElementsAre(after));
    EXPECT_EQ(
        alice.put("/api/v1/statuses/" + post, {{"status", "hello"}, {"reply_policy", "public"}}).status, 200
    );
    EXPECT_THAT(waiting(alice), ElementsAre(after));
}

TEST_P(ReplyControl, has_a_default_and_goes_with_what_is_scheduled) {
    alice.patch("/api/v1/accounts/update_credentials", {{"source[reply_policy]", "following"}});
    EXPECT_EQ(alice.get("/api/v1/accounts/verify_credentials")["source.reply_policy"], "following");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + alice.status("hello"))["reply_policy"], "following");
    Fields later{
        {"status", "later"},
        {"scheduled_at", base::to_string(w.now().plus_seconds(3600))},
        {"reply_policy", "nobody"}
    };
    EXPECT_EQ(alice.post("/api/v1/statuses", later)["params.reply_policy"], "nobody");
    w.advance(3700);
    support::run_periodic(w, statuses::announce_due);
    w.run_jobs();
    auto mine = alice.get("/api/v1/accounts/" + alice.id + "/statuses");
    EXPECT_EQ(mine["0.reply_policy"], "nobody");
}

TEST_P(ReplyControl, keeps_nothing_of_a_deleted_answer) {
    auto post = alice.status("hello", {{"reply_policy", "followers"}});
    w.changed();
    auto reply = bob.answers(post, "an answer");
    EXPECT_NE(w.changed().find("reply_approvals +1"), std::string::npos);
    bob.del("/api/v1/statuses/" + reply);
    EXPECT_NE(w.changed().find("reply_approvals -1"), std::string::npos);
    EXPECT_THAT(waiting(alice), IsEmpty());
}

TEST_P(ReplyControl, keeps_no_answer_waiting_for_a_post_that_is_gone) {
    auto post = alice.status("hello", {{"reply_policy", "followers"}});
    bob.answers(post, "an answer");
    alice.del("/api/v1/statuses/" + post);
    EXPECT_THAT(waiting(alice), IsEmpty());
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "world.hpp"

#include <gmock/gmock.h>

const db::Command test_answers{
    "test_answers",
    "UPDATE statuses SET in_reply_to_id = $2, in_reply_to_account_id = account_id WHERE id = $1"
};
const db::Command test_hides_answers{
    "test_hides_answers", "UPDATE statuses SET reply_state = 'hidden' WHERE in_reply_to_id = $1"
};

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct Threads : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");

    static std::vector<std::string> part(const Answer& context, const std::string& name) {
        std::vector<std::string> ids;
        for (int i = 0;; ++i) {
            auto id = context[name + "." + std::to_string(i) + ".id"];
            if (id == "absent") return ids;
            ids.push_back(id);
        }
    }
    Answer context(const Person& who, const std::string& id) {
        return who.get("/api/v1/statuses/" + id + "/context");
    }
};
ON_EACH_DATABASE(Threads);

TEST_P(Threads, are_read_depth_first_with_the_authors_own_continuation_first) {
    auto root = alice.status("root");
    auto b1 = bob.answers(root, "b1"), a1 = alice.answers(root, "a1"), b2 = bob.answers(b1, "b2"),
         a2 = alice.answers(a1, "a2"), c1 = carol.answers(root, "c1"), a3 = alice.answers(b1, "a3");
    auto around = context(w.anonymous(), root);
    EXPECT_THAT(part(around, "ancestors"), IsEmpty());
    EXPECT_THAT(part(around, "descendants"), ElementsAre(a1, a2, b1, a3, b2, c1));
    auto deep = context(alice, a3);
    EXPECT_THAT(part(deep, "ancestors"), ElementsAre(root, b1));
    EXPECT_THAT(part(deep, "descendants"), IsEmpty());
}

TEST_P(Threads, leave_out_whom_the_viewer_hides_and_what_they_may_not_see) {
    auto root = alice.status("root");
    auto b = bob.answers(root, "b"), c = carol.answers(root, "c", {{"visibility", "private"}}),
         under = carol.answers(b, "under");
    EXPECT_THAT(part(context(bob, root), "descendants"), ElementsAre(b, under));
    carol.mutes(bob);
    EXPECT_THAT(part(context(carol, root), "descendants"), ElementsAre(under, c));
    EXPECT_THAT(part(context(carol, under), "ancestors"), ElementsAre(root));
    alice.del("/api/v1/statuses/" + root);
    EXPECT_EQ(context(bob, root).status, 404);
    EXPECT_THAT(part(context(bob, b), "ancestors"), IsEmpty());
    EXPECT_THAT(part(context(bob, b), "descendants"), ElementsAre(under));
}

TEST_P(Threads, show_limited_people_to_whom_they_are_to_their_followers_and_where_they_are_looked_at) {
    auto root = alice.status("root");
    auto b = bob.answers(root, "b"), under = carol.answers(b, "under");
    auto dave = w.local("dave");
    dave.follows(bob);
    w.silence(bob);
    for (const auto& who : {w.anonymous(), alice, carol}) {
        EXPECT_THAT(part(context(who, root), "descendants"), ElementsAre(under));
        EXPECT_THAT(part(context(who, under), "ancestors"), ElementsAre(root));
    }
    for (const auto& who : {bob, dave}) {
        EXPECT_THAT(part(context(who, root), "descendants"), ElementsAre(b, under));
        EXPECT_THAT(part(context(who, under), "ancestors"), ElementsAre(root, b));
    }
    auto more = bob.answers(b, "more");
    EXPECT_THAT(part(context(alice, b), "descendants"), ElementsAre(more, under));
}

TEST_P(Threads, are_cut_for_strangers_but_not_for_users) {
    auto root = alice.status("root");
    auto last = root;
    std::vector<std::string> chain{root};
    for (int i = 0; i < 60; ++i) chain.push_back(last = alice.answers(last, "next"));
    EXPECT_EQ(part(context(w.anonymous(), last), "ancestors").size(), 40u);
    EXPECT_EQ(part(context(w.anonymous(), last), "ancestors").back(), chain[59]);
    EXPECT_EQ(part(context(bob, last), "ancestors").size(), 60u);
    EXPECT_EQ(part(context(w.anonymous(), root), "descendants").size(), 20u);
    EXPECT_EQ(part(context(bob, root), "descendants").size(), 60u);
    for (int i = 0; i < 70; ++i) bob.answers(root, "wide");
    EXPECT_EQ(part(context(w.anonymous(), root), "descendants").size(), 60u);
}

TEST_P(Threads, are_not_filled_by_answers_that_are_hidden) {
    auto root = alice.status("root");
    for (int i = 0; i < 65; ++i) bob.answers(bob.answers(root, "hidden"), "below what is hidden");
    w.write([&](db::Write& db) { db.run(test_hides_answers, base::StatusId{std::stoll(root)}); });
    auto shown = carol.answers(root, "shown"), below = alice.answers(shown, "below");
    EXPECT_THAT(part(context(w.anonymous(), root), "descendants"), ElementsAre(shown, below));
    EXPECT_THAT(part(context(carol, root), "descendants"), ElementsAre(shown, below));
    EXPECT_EQ(part(context(bob, root), "descendants").size(), 2u * 65 + 2);
}

TEST_P(Threads, that_run_in_a_circle_are_read_once) {
    auto first = alice.status("first"), second = bob.answers(first, "second"),
         third = bob.answers(second, "third");
    w.write([&](db::Write& db) {
        db.run(test_answers, base::StatusId{std::stoll(first)}, base::StatusId{std::stoll(second)});
    });
    for (const auto& who : {w.anonymous(), alice}) {
        auto around = context(who, first);
        EXPECT_THAT(part(around, "ancestors"), ElementsAre(second));
        EXPECT_THAT(part(around, "descendants"), ElementsAre(second, third));
        auto below = context(who, third);
        EXPECT_THAT(part(below, "ancestors"), ElementsAre(first, second));
        EXPECT_THAT(part(below, "descendants"), IsEmpty());
    }
}

TEST_P(Threads, cost_the_same_queries_for_one_and_for_forty_answers) {
    auto root = alice.status("root");
    bob.answers(root, "@alice #tag");
    context(bob, root);
    w.queries();
    context(bob, root);
    auto few = w.queries();
    for (int i = 0; i < 39; ++i)
        w.local("p" + std::to_string(i)).answers(root, "@alice #tag" + std::to_string(i));
    auto bystander = w.local("z");
    context(bystander, root);  // fills what is kept
    w.queries();
    EXPECT_EQ(part(context(bob, root), "descendants").size(), 40u);
    EXPECT_EQ(w.queries(), few);
}

}  // namespace

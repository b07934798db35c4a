// SPDX-License-Identifier: AGPL-3.0-or-later
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct Interactions : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");
    std::string status = alice.status("hello");

    void SetUp() override { w.happened(), w.changed(); }
    Answer does(const Person& who, const std::string& verb, const std::string& id) {
        return who.post("/api/v1/statuses/" + id + "/" + verb);
    }
};
ON_EACH_DATABASE(Interactions);

TEST_P(Interactions, favourite_counts_and_tells_once) {
    auto answer = does(bob, "favourite", status);
    EXPECT_EQ(answer["favourited"], "true");
    EXPECT_EQ(answer["favourites_count"], "1");
    EXPECT_EQ(w.happened(), "Favourited");
    EXPECT_EQ(w.changed(), "favourites +1, notifications +1");
    EXPECT_EQ(does(bob, "favourite", status)["favourites_count"], "1");
    EXPECT_EQ(w.happened() + w.changed(), "");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["favourited"], "false");
    EXPECT_THAT(
        w.anonymous().get("/api/v1/statuses/" + status + "/favourited_by").ids(), ElementsAre(bob.id)
    );
}

TEST_P(Interactions, are_taken_back_of_what_one_may_read_no_more_without_showing_it) {
    bob.follows(alice);
    auto closed = alice.status("for followers", {{"visibility", "private"}}), open = alice.status("for all");
    for (const auto& id : {closed, open})
        for (auto verb : {"favourite", "bookmark"}) EXPECT_EQ(does(bob, verb, id).status, 200);
    alice.blocks(bob);
    w.run_jobs();
    w.changed();
    EXPECT_EQ(does(bob, "unbookmark", open)["bookmarked"], "false");
    EXPECT_EQ(does(bob, "unfavourite", open)["favourited"], "false");
    auto refused = does(bob, "unbookmark", closed);
    EXPECT_EQ(refused.status, 404);
    EXPECT_EQ(refused.body.find("for followers"), std::string::npos);
    EXPECT_EQ(does(bob, "unfavourite", closed).status, 404);
    EXPECT_THAT(w.changed(), testing::HasSubstr("bookmarks -2"));
    EXPECT_EQ(alice.post("/api/v1/accounts/" + bob.id + "/unblock").status, 200);
    bob.follows(alice);
    EXPECT_THAT(bob.get("/api/v1/bookmarks").ids(), IsEmpty());
    EXPECT_EQ(alice.get("/api/v1/statuses/" + closed)["favourites_count"], "0");
}

TEST_P(Interactions, lists_of_what_was_marked_are_filled_with_what_is_shown) {
    bob.follows(alice);
    std::vector<std::string> open, all;
    for (int i = 0; i < 3; ++i) {
        open.push_back(alice.status("open"));
        all.push_back(open.back());
        for (int j = 0; j < 3; ++j) all.push_back(alice.status("closed", {{"visibility", "private"}}));
    }
    for (const auto& id : all)
        for (auto verb : {"favourite", "bookmark"}) EXPECT_EQ(does(bob, verb, id).status, 200);
    bob.unfollows(alice);
    std::ranges::reverse(open);
    for (auto path : {"/api/v1/favourites", "/api/v1/bookmarks"}) {
        auto first = bob.get(path, {{"limit", "2"}});
        EXPECT_EQ(first.ids(), std::vector(open.begin(), open.begin() + 2)) << path;
        auto second = bob.get(first.link("next"));
        EXPECT_EQ(second.ids(), std::vector(open.begin() + 2, open.end())) << path;
        EXPECT_EQ(second.link("next"), "") << path;
        EXPECT_EQ(bob.get(second.link("prev")).ids(), first.ids()) << path;
    }
}

TEST_P(Interactions, unfavourite_takes_it_all_back) {
    bob.favourites(status);
    w.happened(), w.changed();
    auto answer = does(bob, "unfavourite", status);
    EXPECT_EQ(answer["favourited"], "false");
    EXPECT_EQ(answer["favourites_count"], "0");
    EXPECT_EQ(w.happened(), "Unfavourited");
    EXPECT_EQ(w.changed(), "favourites -1, notifications -1");
    EXPECT_EQ(does(bob, "unfavourite", status)["favourites_count"], "0");
    EXPECT_EQ(w.happened() + w.changed(), "");
}

TEST_P(Interactions, with_ones_own_status_tell_nobody) {
    EXPECT_EQ(does(alice, "favourite", status)["favourites_count"], "1");
    EXPECT_EQ(does(alice, "reblog", status)["reblog.reblogs_count"], "1");
    EXPECT_THAT(alice.get("/api/v1/notifications").ids(), IsEmpty());
}

TEST_P(Interactions, bookmark_is_nobody_elses_business) {
    EXPECT_EQ(does(bob, "bookmark", status)["bookmarked"], "true");
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(w.changed(), "bookmarks +1");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["bookmarked"], "false");
    EXPECT_THAT(bob.get("/api/v1/bookmarks").ids(), ElementsAre(status));
    EXPECT_EQ(does(bob, "unbookmark", status)["bookmarked"], "false");
    EXPECT_EQ(w.changed(), "bookmarks -1");
    EXPECT_EQ(does(bob, "unbookmark", status).status, 200);
}

TEST_P(Interactions, reblog_wraps_the_original_and_happens_once) {
    auto answer = does(bob, "reblog", status);
    EXPECT_EQ(answer["reblog.id"], status);
    EXPECT_EQ(answer["account.id"], bob.id);
    EXPECT_EQ(answer["reblog.reblogs_count"], "1");
    EXPECT_EQ(answer["reblog.reblogged"], "true");
    EXPECT_EQ(answer["visibility"], "public");
    EXPECT_EQ(w.happened(), "Published, Reblogged");
    EXPECT_EQ(w.changed(), "statuses +1, home_entries +1, notifications +1");
    EXPECT_EQ(does(bob, "reblog", status).id(), answer.id());
    EXPECT_EQ(w.happened() + w.changed(), "");
    EXPECT_EQ(does(bob, "reblog", answer.id()).id(), answer.id());
    EXPECT_EQ(w.happened() + w.changed(), "");
    EXPECT_THAT(w.anonymous().get("/api/v1/statuses/" + status + "/reblogged_by").ids(), ElementsAre(bob.id));
    EXPECT_EQ(bob.get("/api/v1/accounts/" + bob.id)["statuses_count"], "1");
}

TEST_P(Interactions, reblog_says_nothing_for_the_original) {
    auto original = alice.status("Bonjour", {{"language", "fr"}, {"sensitive", "true"}});
    auto answer = does(bob, "reblog", original);
    EXPECT_EQ(answer["language"], "null");
    EXPECT_EQ(answer["sensitive"], "false");
    EXPECT_EQ(answer["reblog.language"], "fr");
    EXPECT_EQ(answer["reblog.sensitive"], "true");
}

TEST_P(Interactions, unreblog_answers_with_the_original_and_takes_the_notification_back) {
    bob.reblogs(status);
    w.happened(), w.changed();
    auto answer = does(bob, "unreblog", status);
    EXPECT_EQ(answer.id(), status);
    EXPECT_EQ(answer["reblogged"], "false");
    EXPECT_EQ(answer["reblogs_count"], "0");
    EXPECT_EQ(w.happened(), "Deleted, Unreblogged");
    EXPECT_EQ(w.changed(), "home_entries -1, notifications -1");
    EXPECT_EQ(does(bob, "unreblog", status).status, 200);
    EXPECT_EQ(w.happened() + w.changed(), "");
    EXPECT_EQ(does(bob, "reblog", status)["reblog.reblogs_count"], "1");
}

TEST_P(Interactions, unreblog_works_by_the_id_of_the_reblog_too) {
    auto reblog = bob.reblogs(status);
    auto answer = does(bob, "unreblog", reblog);
    EXPECT_EQ(answer.id(), status);
    EXPECT_EQ(answer["reblogs_count"], "0");
}

TEST_P(Interactions, with_a_reblog_are_with_its_original) {
    auto reblog = bob.reblogs(status);
    auto carol = w.local("carol");
    auto answer = does(carol, "favourite", reblog);
    EXPECT_EQ(carol.get("/api/v1/statuses/" + status)["favourited"], "true");
    EXPECT_EQ(answer["reblog.favourites_count"], "1");
    does(carol, "bookmark", reblog);
    EXPECT_THAT(carol.get("/api/v1/bookmarks").ids(), ElementsAre(status));
    EXPECT_THAT(carol.get("/api/v1/statuses/" + reblog + "/favourited_by").ids(), ElementsAre(carol.id));
}

struct ReblogRow {
    const char* visibility;
    int by_author, by_follower;
};
constexpr ReblogRow reblogs[] = {
    {"public", 200, 200}, {"unlisted", 200, 200}, {"private", 200, 403}, {"direct", 403, 404}
};

TEST_P(Interactions, reblogs_are_allowed_by_visibility) {
    bob.follows(alice);
    for (const auto& row : reblogs) {
        auto id = alice.status("a", {{"visibility", row.visibility}});
        EXPECT_EQ(does(alice, "reblog", id).status, row.by_author) << row.visibility;
        EXPECT_EQ(does(bob, "reblog", id).status, row.by_follower) << row.visibility;
    }
}

TEST_P(Interactions, reblog_of_ones_own_private_status_is_private) {
    auto id = alice.status("a", {{"visibility", "private"}});
    auto answer = alice.post("/api/v1/statuses/" + id + "/reblog", {{"visibility", "public"}});
    EXPECT_EQ(answer["visibility"], "private");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + answer.id()).status, 404);
}

TEST_P(Interactions, reblog_takes_a_visibility_of_its_own) {
    EXPECT_EQ(
        bob.post("/api/v1/statuses/" + status + "/reblog", {{"visibility", "unlisted"}})["visibility"],
        "unlisted"
    );
    auto other = alice.status("b");
    w.happened(), w.changed();
    for (auto wrong : {"direct", "limited", "nonsense"})
        EXPECT_EQ(bob.post("/api/v1/statuses/" + other + "/reblog", {{"visibility", wrong}}).status, 422)
            << wrong;
    EXPECT_EQ(w.happened() + w.changed(), "");
}

TEST_P(Interactions, reblog_uses_the_default_visibility_of_the_user) {
    bob.patch("/api/v1/accounts/update_credentials", {{"source[privacy]", "unlisted"}});
    EXPECT_EQ(does(bob, "reblog", status)["visibility"], "unlisted");
}

TEST_P(Interactions, lists_of_people_leave_out_whom_the_viewer_hides) {
    auto carol = w.local("carol"), dora = w.local("dora");
    for (const auto& p : {bob, carol, dora}) {
        p.favourites(status);
        p.reblogs(status);
    }
    alice.mutes(bob);
    carol.blocks(alice);
    for (auto list : {"/favourited_by", "/reblogged_by"}) {
        auto path = "/api/v1/statuses/" + status + list;
        EXPECT_THAT(alice.get(path).ids(), ElementsAre(dora.id));
        EXPECT_THAT(w.anonymous().get(path).ids(), ElementsAre(dora.id, carol.id, bob.id));
        auto first = w.anonymous().get(path, {{"limit", "2"}});
        EXPECT_THAT(first.ids(), ElementsAre(dora.id, carol.id));
        EXPECT_THAT(w.anonymous().get(first.link("next")).ids(), ElementsAre(bob.id));
        EXPECT_NE(first.link("prev").find("since_id="), std::string::npos);
    }
}

TEST_P(Interactions, lists_of_people_leave_out_the_suspended_and_boosts_for_followers) {
    auto carol = w.local("carol");
    for (const auto& p : {bob, carol}) p.favourites(status);
    bob.reblogs(status);
    carol.post("/api/v1/statuses/" + status + "/reblog", {{"visibility", "private"}});
    auto list = [&](const char* name) { return alice.get("/api/v1/statuses/" + status + name).ids(); };
    EXPECT_THAT(list("/favourited_by"), ElementsAre(carol.id, bob.id));
    EXPECT_THAT(list("/reblogged_by"), ElementsAre(bob.id));
    w.suspend(bob);
    EXPECT_THAT(list("/favourited_by"), ElementsAre(carol.id));
    EXPECT_THAT(list("/reblogged_by"), IsEmpty());
    EXPECT_THAT(
        alice.get("/api/v1/statuses/" + status + "/favourited_by", {{"limit", "0"}}).ids(), IsEmpty()
    );
}

TEST_P(Interactions, own_lists_are_in_the_order_of_the_deed_and_paged) {
    std::vector<std::string> made;
    for (int i = 0; i < 5; ++i) made.push_back(alice.status("s"));
    for (auto i : {3u, 1u, 4u, 0u, 2u}) {
        bob.favourites(made[i]);
        does(bob, "bookmark", made[i]);
    }
    for (auto path : {"/api/v1/favourites", "/api/v1/bookmarks"}) {
        auto first = bob.get(path, {{"limit", "2"}});
        EXPECT_THAT(first.ids(), ElementsAre(made[2], made[0]));
        auto second = bob.get(first.link("next"));
        EXPECT_THAT(second.ids(), ElementsAre(made[4], made[1]));
        EXPECT_THAT(bob.get(second.link("prev")).ids(), ElementsAre(made[2], made[0]));
        EXPECT_NE(second.link("prev").find("min_id="), std::string::npos);
        auto last = bob.get(second.link("next"));
        EXPECT_THAT(last.ids(), ElementsAre(made[3]));
        EXPECT_EQ(last.link("next"), "");
    }
}

TEST_P(Interactions, own_lists_go_on_past_what_was_deleted) {
    std::vector<std::string> made;
    for (int i = 0; i < 4; ++i) {
        made.push_back(alice.status("s"));
        bob.favourites(made.back());
        does(bob, "bookmark", made.back());
    }
    for (auto i : {1u, 2u}) alice.del("/api/v1/statuses/" + made[i]);
    // Moderators keep seeing what was reported; others do not.
    bob.post("/api/v1/reports", {{"account_id", alice.id}, {"status_ids[]", made[1]}});
    for (bool swept : {false, true}) {
        if (swept) w.run_jobs();
        for (auto path : {"/api/v1/favourites", "/api/v1/bookmarks"}) {
            EXPECT_THAT(bob.get(path).ids(), ElementsAre(made[3], made[0]));
            EXPECT_THAT(bob.get(path, {{"limit", "2"}}).ids(), ElementsAre(made[3], made[0]));
        }
    }
}

TEST_P(Interactions, are_taken_back_also_by_who_was_blocked_since) {
    bob.favourites(status);
    bob.reblogs(status);
    EXPECT_EQ(does(bob, "bookmark", status).status, 200);
    alice.blocks(bob);
    w.run_jobs();
    EXPECT_EQ(bob.get("/api/v1/statuses/" + status).status, 404);
    w.happened(), w.changed();
    for (auto [verb, mark, event] :
         {std::tuple("unfavourite", "favourited", "Unfavourited"),
          std::tuple("unreblog", "reblogged", "Deleted, Unreblogged"),
          std::tuple("unbookmark", "bookmarked", "")}) {
        auto answer = does(bob, verb, status);
        EXPECT_EQ(answer.status, 200) << verb;
        EXPECT_EQ(answer.id(), status) << verb;
        EXPECT_EQ(answer[mark], "false") << verb;
        EXPECT_EQ(w.happened(), event) << verb;
        w.changed();
        // There is nothing more to take back, and so nothing to see.
        EXPECT_EQ(does(bob, verb, status).status, 404) << verb;
        EXPECT_EQ(w.happened() + w.changed(), "") << verb;
    }
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["favourites_count"], "0");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["reblogs_count"], "0");
}

TEST_P(Interactions, of_a_suspended_author_are_taken_back_without_showing_anything) {
    bob.favourites(status);
    w.suspend(alice);
    w.happened();
    EXPECT_EQ(does(bob, "unfavourite", status).status, 404);
    EXPECT_EQ(w.happened(), "Unfavourited");
}

}  // namespace

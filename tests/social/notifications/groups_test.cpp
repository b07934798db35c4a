// SPDX-License-Identifier: AGPL-3.0-or-later
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct Groups : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");
    std::string status = alice.status("hello");

    static Answer of(const Person& who, const Fields& fields = {}) {
        return who.get("/api/v2/notifications", fields);
    }
    // A member of each group.
    static std::vector<std::string> each(const Answer& answer, const std::string& member) {
        std::vector<std::string> out;
        for (int i = 0;; ++i) {
            auto way = "notification_groups." + std::to_string(i);
            if (answer[way] == "absent") return out;
            out.push_back(answer[way + "." + member]);
        }
    }
    static std::vector<std::string> within(const Answer& answer, const std::string& list) {
        std::vector<std::string> out;
        for (int i = 0;; ++i) {
            auto id = answer[list + "." + std::to_string(i) + ".id"];
            if (id == "absent") return out;
            out.push_back(id);
        }
    }
    std::string key_of_likes() const {
        return "favourite-" + status + "-" + std::to_string(w.now().ms / 3'600'000);
    }
};
ON_EACH_DATABASE(Groups);

TEST_P(Groups, hold_likes_of_one_status_and_mention_everything_once) {
    bob.favourites(status);
    bob.status("@alice hi");
    carol.favourites(status);
    auto all = of(alice);
    EXPECT_THAT(each(all, "type"), ElementsAre("favourite", "mention"));
    EXPECT_THAT(each(all, "notifications_count"), ElementsAre("2", "1"));
    EXPECT_THAT(each(all, "group_key")[0], key_of_likes());
    EXPECT_THAT(each(all, "status_id")[0], status);
    EXPECT_EQ(all["notification_groups.0.sample_account_ids"], "[\"" + carol.id + "\",\"" + bob.id + "\"]");
    EXPECT_THAT(within(all, "accounts"), ElementsAre(carol.id, bob.id));
    EXPECT_EQ(within(all, "statuses").size(), 2u);
    EXPECT_EQ(all["partial_accounts"], "absent");
    auto flat = alice.get("/api/v1/notifications").ids();
    EXPECT_EQ(all["notification_groups.0.most_recent_notification_id"], flat[0]);
    EXPECT_EQ(all["notification_groups.0.page_max_id"], flat[0]);
    EXPECT_EQ(all["notification_groups.0.page_min_id"], flat[2]);
    EXPECT_EQ(all["notification_groups.1.group_key"], "ungrouped-" + flat[1]);
    EXPECT_EQ(all["notification_groups.0.latest_page_notification_at"], "2026-01-01T00:00:00.000Z");
}

TEST_P(Groups, are_of_the_types_asked_for_only) {
    bob.favourites(status);
    carol.favourites(status);
    bob.follows(alice);
    carol.follows(alice);
    auto followed = of(alice, {{"grouped_types[]", "follow"}, {"grouped_types[]", "mention"}});
    EXPECT_THAT(each(followed, "type"), ElementsAre("follow", "favourite", "favourite"));
    EXPECT_EQ(each(followed, "group_key")[1], "ungrouped-" + alice.get("/api/v1/notifications").ids()[2]);
    EXPECT_THAT(each(of(alice, {{"types[]", "favourite"}}), "notifications_count"), ElementsAre("2"));
    EXPECT_THAT(each(of(alice, {{"exclude_types[]", "favourite"}}), "type"), ElementsAre("follow"));
    EXPECT_THAT(each(of(alice, {{"types[]", "nonsense"}}), "type"), IsEmpty());
}

TEST_P(Groups, tell_little_of_all_but_the_first_person_when_avatars_are_enough) {
    for (const auto& who : {bob, carol}) who.favourites(status);
    bob.follows(alice);
    auto all = of(alice, {{"expand_accounts", "partial_avatars"}});
    EXPECT_THAT(within(all, "accounts"), ElementsAre(bob.id, carol.id));
    EXPECT_EQ(all["partial_accounts"], "[]");
    carol.follows(alice);
    all = of(alice, {{"expand_accounts", "partial_avatars"}});
    EXPECT_THAT(within(all, "accounts"), ElementsAre(carol.id));
    EXPECT_THAT(within(all, "partial_accounts"), ElementsAre(bob.id));
    EXPECT_EQ(all["partial_accounts.0.acct"], "bob");
    EXPECT_EQ(of(alice, {{"expand_accounts", "all"}}).status, 400);
}

TEST_P(Groups, name_eight_people_at_most_and_list_all) {
    std::vector<std::string> people;
    for (int i = 0; i < 10; ++i) {
        auto who = w.local("p" + std::to_string(i));
        who.favourites(status);
        people.insert(people.begin(), who.id);
    }
    auto all = of(alice);
    EXPECT_THAT(each(all, "notifications_count"), ElementsAre("10"));
    EXPECT_EQ(within(all, "accounts"), std::vector(people.begin(), people.begin() + 8));
    auto path = "/api/v2/notifications/" + key_of_likes() + "/accounts";
    EXPECT_EQ(alice.get(path).ids(), people);
    auto first = alice.get(path, {{"limit", "6"}});
    EXPECT_EQ(first.ids(), std::vector(people.begin(), people.begin() + 6));
    EXPECT_TRUE(first.link("prev").find("min_id=") != std::string::npos) << first.link("prev");
    auto rest = alice.get(first.link("next"));
    EXPECT_EQ(rest.ids(), std::vector(people.begin() + 6, people.end()));
    EXPECT_EQ(rest.link("next"), "");
    EXPECT_EQ(alice.get(rest.link("prev")).ids(), std::vector(people.begin(), people.begin() + 6));
    EXPECT_THAT(bob.get(path).ids(), IsEmpty());
    auto id = alice.get("/api/v1/notifications").ids()[0];
    EXPECT_THAT(alice.get("/api/v2/notifications/ungrouped-" + id + "/accounts").ids(), IsEmpty());
}

TEST_P(Groups, are_counted_by_page_and_paged_by_their_newest) {
    auto other = alice.status("other");
    bob.favourites(other);
    bob.favourites(status);
    bob.follows(alice);
    carol.favourites(status);
    auto first = of(alice, {{"limit", "2"}});
    EXPECT_THAT(each(first, "type"), ElementsAre("favourite", "follow"));
    EXPECT_THAT(each(first, "notifications_count"), ElementsAre("2", "1"));
    EXPECT_EQ(
        each(first, "page_min_id")[0], each(first, "page_max_id")[0]
    );  // the older one is below the page
    auto second = alice.get(first.link("next"));
    EXPECT_THAT(each(second, "status_id"), ElementsAre(status, other));
    EXPECT_THAT(each(second, "notifications_count"), ElementsAre("1", "1"));
    EXPECT_NE(second.link("next"), "");
    auto last = alice.get(second.link("next"));
    EXPECT_THAT(each(last, "type"), IsEmpty());
    EXPECT_EQ(last["accounts"], "[]");
    EXPECT_EQ(last["statuses"], "[]");
    auto back = alice.get(second.link("prev"));
    EXPECT_THAT(each(back, "type"), ElementsAre("favourite", "follow"));
    auto newer = of(alice, {{"since_id", each(first, "page_max_id")[1]}});
    EXPECT_THAT(each(newer, "type"), ElementsAre("favourite"));
}

TEST_P(Groups, are_shown_and_dismissed_by_their_key) {
    bob.favourites(status);
    carol.favourites(status);
    bob.status("@alice hi");
    auto one = alice.get("/api/v2/notifications/" + key_of_likes());
    EXPECT_THAT(each(one, "notifications_count"), ElementsAre("2"));
    EXPECT_EQ(one["notification_groups.0.page_max_id"], "absent");
    EXPECT_THAT(within(one, "accounts"), ElementsAre(carol.id, bob.id));
    auto flat = alice.get("/api/v1/notifications").ids();
    auto mention = alice.get("/api/v2/notifications/ungrouped-" + flat[0]);
    EXPECT_THAT(each(mention, "type"), ElementsAre("mention"));
    EXPECT_EQ(bob.get("/api/v2/notifications/" + key_of_likes()).status, 404);
    EXPECT_EQ(bob.get("/api/v2/notifications/ungrouped-" + flat[0]).status, 404);
    EXPECT_EQ(alice.get("/api/v2/notifications/nonsense").status, 404);
    w.happened(), w.changed();
    EXPECT_EQ(bob.post("/api/v2/notifications/" + key_of_likes() + "/dismiss").body, "{}");
    EXPECT_EQ(alice.post("/api/v2/notifications/nonsense/dismiss").body, "{}");
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(alice.post("/api/v2/notifications/" + key_of_likes() + "/dismiss").body, "{}");
    EXPECT_EQ(w.changed(), "notifications -2");
    EXPECT_EQ(alice.post("/api/v2/notifications/ungrouped-" + flat[0] + "/dismiss").body, "{}");
    EXPECT_EQ(w.changed(), "notifications -1");
    EXPECT_EQ(w.happened(), "");
    bob.follows(alice);
    EXPECT_EQ(alice.post("/api/v2/notifications/clear").body, "{}");
    EXPECT_THAT(each(of(alice), "type"), IsEmpty());
}

TEST_P(Groups, are_counted_once_while_unread) {
    bob.favourites(status);
    auto read = alice.get("/api/v1/notifications").ids()[0];
    carol.favourites(status);
    bob.follows(alice);
    carol.follows(alice);
    auto count = [&](const Fields& fields = {}) {
        return alice.get("/api/v2/notifications/unread_count", fields)["count"];
    };
    EXPECT_EQ(count(), "2");
    EXPECT_EQ(count({{"limit", "1"}}), "1");
    EXPECT_EQ(count({{"grouped_types[]", "follow"}}), "3");
    EXPECT_EQ(count({{"types[]", "follow"}}), "1");
    alice.post("/api/v1/markers", {{"notifications[last_read_id]", read}});
    EXPECT_EQ(count({{"grouped_types[]", ""}}), "3");
    EXPECT_EQ(count(), "2");
}

TEST_P(Groups, are_not_counted_as_unread_where_they_are_not_shown) {
    auto count = [&] { return alice.get("/api/v2/notifications/unread_count")["count"]; };
    bob.favourites(status);
    carol.favourites(status);
    auto his = bob.status("for followers of bob, @alice", {{"visibility", "private"}});
    EXPECT_EQ(count(), "2");
    w.write([&](db::Write& db) {
        static const db::Command forget{"test_forget_mentions", "DELETE FROM mentions WHERE status_id = $1"};
        db.run(forget, std::int64_t{std::stoll(his)});
    });
    EXPECT_THAT(each(of(alice), "type"), ElementsAre("favourite"));
    EXPECT_EQ(count(), "1");
}

TEST_P(Groups, leave_out_the_suspended) {
    bob.favourites(status);
    carol.favourites(status);
    w.suspend(carol);
    auto all = of(alice);
    EXPECT_THAT(each(all, "notifications_count"), ElementsAre("1"));
    EXPECT_THAT(within(all, "accounts"), ElementsAre(bob.id));
    w.suspend(bob);
    EXPECT_THAT(each(of(alice), "type"), IsEmpty());
}

TEST_P(Groups, cost_the_same_queries_for_one_and_for_forty) {
    bob.favourites(status);
    of(alice);
    w.queries();
    of(alice);
    auto few = w.queries();
    for (int i = 0; i < 40; ++i) {
        auto who = w.local("p" + std::to_string(i));
        who.favourites(status);
        who.favourites(alice.status("status " + std::to_string(i)));
    }
    of(alice);
    w.queries();
    EXPECT_EQ(each(of(alice), "type").size(), 40u);
    EXPECT_EQ(w.queries(), few);
}

}  // namespace

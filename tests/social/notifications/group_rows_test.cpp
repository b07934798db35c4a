// SPDX-License-Identifier: AGPL-3.0-or-later
// Pages of groups are made from what is kept of each group: it stays true however notifications come and go, and shows
// what reading all of them would.
#include "world.hpp"

#include <gmock/gmock.h>

struct TestGroup {
    std::int64_t account_id = 0;
    std::string group_key, type;
    std::int64_t members = 0, oldest_id = 0, newest_id = 0;
    bool operator==(const TestGroup&) const = default;
};
DESCRIBE(TestGroup, account_id, group_key, type, members, oldest_id, newest_id)

#define TEST_GROUP "account_id, group_key, type, members, oldest_id, newest_id"

const db::Query<TestGroup> test_groups_kept{
    "test_groups_kept", "SELECT " TEST_GROUP " FROM notification_groups ORDER BY account_id, newest_id"
};
const db::Query<TestGroup> test_groups_counted{
    "test_groups_counted",
    "SELECT account_id, group_key, min(type) AS type, count(*) AS members, min(id) AS oldest_id, max(id) AS "
    "newest_id FROM notifications WHERE group_key NOT LIKE 'ungrouped-%' GROUP BY account_id, group_key "
    "ORDER BY account_id, max(id)"
};
const db::Command test_delete_oldest{
    "test_delete_oldest",
    "DELETE FROM notifications WHERE id IN (SELECT id FROM notifications ORDER BY id LIMIT $1)"
};

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct GroupRows : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol"), dora = w.local("dora");

    std::vector<TestGroup> kept() {
        return w.read([](db::Read& db) { return db.all(test_groups_kept); });
    }
    std::vector<TestGroup> counted() {
        return w.read([](db::Read& db) { return db.all(test_groups_counted); });
    }
    static std::vector<std::string> each(const Answer& answer, const std::string& member) {
        std::vector<std::string> out;
        for (int i = 0;; ++i) {
            auto way = "notification_groups." + std::to_string(i);
            if (answer[way] == "absent") return out;
            out.push_back(answer[way + "." + member]);
        }
    }
    // Keys of all pages, newest first.
    std::vector<std::string> keys(const char* direction, Fields fields) {
        bool up = std::string_view(direction) == "prev";
        if (up) fields.emplace_back("min_id", "1");
        std::vector<std::string> out;
        for (auto page = alice.get("/api/v2/notifications", fields);;) {
            auto some = each(page, "group_key");
            if (some.empty()) return out;
            out.insert(up ? out.begin() : out.end(), some.begin(), some.end());
            page = alice.get(page.link(direction));
        }
    }
    struct Row {
        std::string id, key, type;
    };
    // What the pages would be, from all notifications one by one.
    std::vector<std::string> expected_keys(bool up, std::size_t limit, const Fields& filter) {
        std::vector<Row> all;
        Fields fields = filter;
        fields.emplace_back("limit", "80");
        for (auto page = alice.get("/api/v1/notifications", fields); !page.ids().empty();
             page = alice.get(page.link("next")))
            for (std::size_t i = 0; i < page.ids().size(); ++i) {
                auto at = std::to_string(i);
                all.push_back({page.ids()[i], page[at + ".group_key"], page[at + ".type"]});
            }
        if (up) std::ranges::reverse(all);
        std::vector<std::string> out;
        for (std::size_t from = 0; from < all.size();) {
            std::vector<std::string> page;
            std::size_t last = from;
            for (auto i = from; i < all.size() && page.size() < limit; ++i)
                if (std::ranges::find(page, all[i].key) == page.end()) {
                    page.push_back(all[i].key);
                    last = i;
                }
            if (up) out.insert(out.begin(), page.rbegin(), page.rend());
            else out.insert(out.end(), page.begin(), page.end());
            from = last + 1;
        }
        return out;
    }
    void much_happens() {
        std::vector<std::string> posts;
        for (int i = 0; i < 5; ++i) posts.push_back(alice.status("post " + std::to_string(i)));
        int n = 0;
        for (const auto* who : {&bob, &carol, &dora}) {
            who->follows(alice);
            for (const auto& post : posts) {
                who->favourites(post);
                if (++n % 2) who->reblogs(post);
                if (n % 3 == 0) who->status("@alice " + std::to_string(n));
                w.advance(20);
            }
        }
    }
};
ON_EACH_DATABASE(GroupRows);

TEST_P(GroupRows, stay_true_however_notifications_go) {
    much_happens();
    EXPECT_THAT(kept().size(), testing::Ge(10u));
    EXPECT_EQ(kept(), counted());
    auto post = alice.status("another");
    for (const auto* who : {&bob, &carol, &dora}) who->favourites(post);
    EXPECT_EQ(kept(), counted());
    bob.post("/api/v1/statuses/" + post + "/unfavourite");
    dora.post("/api/v1/statuses/" + post + "/unfavourite");
    EXPECT_EQ(kept(), counted());
    alice.blocks(carol);
    w.run_jobs();
    EXPECT_EQ(kept(), counted());
    w.write([](db::Write& db) { db.run(test_delete_oldest, 7); });
    EXPECT_EQ(kept(), counted());
    alice.del("/api/v1/statuses/" + post);
    w.run_jobs();
    EXPECT_EQ(kept(), counted());
    alice.post("/api/v1/notifications/clear");
    w.run_jobs();
    EXPECT_THAT(kept(), IsEmpty());
}

TEST_P(GroupRows, make_the_pages_that_all_notifications_would) {
    much_happens();
    for (const Fields& filter :
         {Fields{},
          Fields{{"types[]", "favourite"}},
          Fields{{"types[]", "mention"}, {"types[]", "follow"}},
          Fields{{"exclude_types[]", "mention"}}})
        for (std::size_t limit : {1u, 2u, 3u, 5u, 40u}) {
            auto fields = filter;
            fields.emplace_back("limit", std::to_string(limit));
            EXPECT_EQ(keys("next", fields), expected_keys(false, limit, filter)) << limit;
            EXPECT_EQ(keys("prev", fields), expected_keys(true, limit, filter)) << limit;
        }
}

TEST_P(GroupRows, of_more_people_than_are_counted_one_by_one_tell_how_many_there_are) {
    auto post = alice.status("liked");
    std::vector<Person> people;
    for (int i = 0; i < 205; ++i) people.push_back(w.local("p" + std::to_string(i)));
    for (const auto& one : people) one.favourites(post);
    bob.status("@alice hi");
    auto path = "/api/v2/notifications";
    EXPECT_THAT(each(alice.get(path), "notifications_count"), ElementsAre("1", "205"));
    people[3].post("/api/v1/statuses/" + post + "/unfavourite");
    EXPECT_THAT(each(alice.get(path), "notifications_count"), ElementsAre("1", "204"));
    // As of a page further back.
    auto flat = alice.get("/api/v1/notifications", {{"limit", "5"}}).ids();
    EXPECT_THAT(each(alice.get(path, {{"max_id", flat[4]}}), "notifications_count"), ElementsAre("200"));
    EXPECT_THAT(each(alice.get(path, {{"max_id", flat[2]}}), "notifications_count"), ElementsAre("202"));
    EXPECT_EQ(alice.get("/api/v2/notifications/unread_count")["count"], "2");
    EXPECT_EQ(alice.get("/api/v1/notifications/unread_count", {{"limit", "1000"}})["count"], "205");
    EXPECT_EQ(alice.get("/api/v1/notifications/unread_count", {{"types[]", "mention"}})["count"], "1");
}

TEST_P(GroupRows, whose_newest_people_are_suspended_stand_where_the_others_put_them) {
    auto first = alice.status("first"), second = alice.status("second");
    bob.favourites(first);
    bob.status("@alice hi");
    bob.favourites(second);
    carol.favourites(first);
    w.suspend(carol);
    auto path = "/api/v2/notifications";
    EXPECT_THAT(each(alice.get(path), "status_id").back(), first);
    EXPECT_THAT(each(alice.get(path), "type"), ElementsAre("favourite", "mention", "favourite"));
    EXPECT_EQ(keys("next", {{"limit", "1"}}), keys("next", {{"limit", "40"}}));
    EXPECT_EQ(keys("prev", {{"limit", "2"}}), keys("next", {{"limit", "40"}}));
}

}  // namespace

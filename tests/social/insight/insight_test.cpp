// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/remote.hpp"
#include "social/moderation/staff.hpp"
#include "social/tags/tag.hpp"

#include <gmock/gmock.h>

namespace {

using testing::Contains, testing::ElementsAre;

const std::string measures = "/api/v1/admin/measures", dimensions = "/api/v1/admin/dimensions",
                  retention = "/api/v1/admin/retention";
constexpr std::int64_t day = 86'400;

struct Insight : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), alice = w.local("alice"), bob = w.local("bob");

    // Ids are times, and never go back in a process where an earlier test was ahead of this one.
    void SetUp() override {
        auto ahead = std::stoll(bob.id) / 65'536 - w.now().ms;
        if (ahead > 0) w.advance(ahead / 1000 + 1);
    }
    std::string date(std::int64_t days_from_now) const {
        return base::to_string(base::Date{w.now().plus_seconds(days_from_now * day).midnight().ms});
    }
    Answer measured(Fields fields, std::int64_t from = -2, std::int64_t to = 0) {
        fields.emplace_back("start_at", date(from));
        fields.emplace_back("end_at", date(to));
        return owner.post(measures, fields);
    }
    void seen(const Person& who) {
        w.write([&](db::Write& db) {
            accounts::record_activity(db, accounts::find_user_of(db, {std::stoll(who.id)})->id);
        });
    }
};
ON_EACH_DATABASE(Insight);

TEST_P(Insight, demands_keys_and_dates) {
    EXPECT_EQ(
        owner.post(measures, {{"start_at", date(-2)}, {"end_at", date(0)}}).error(),
        "param is missing or the value is empty or invalid: keys"
    );
    EXPECT_EQ(owner.post(measures, {{"keys[]", "new_users"}}).status, 400);
    auto odd = owner.post(measures, {{"keys[]", "new_users"}, {"start_at", "x"}, {"end_at", date(0)}});
    EXPECT_EQ(odd.status, 422);
    EXPECT_EQ(odd.error(), "Invalid date supplied");
    EXPECT_EQ(
        measured({{"keys[]", "tag_uses"}}).error(),
        "param is missing or the value is empty or invalid: tag_uses"
    );
    EXPECT_EQ(measured({{"keys[]", "tag_uses"}, {"tag_uses[id]", "77"}}).status, 404);
    EXPECT_THAT(measured({{"keys[]", "odd"}, {"keys[]", "new_users"}}).all("key"), ElementsAre("new_users"));
    EXPECT_EQ(owner.post(retention, {{"start_at", date(0)}}).status, 400);
    auto undated = owner.post(dimensions, {{"keys[]", "languages"}, {"keys[]", "sources"}});
    EXPECT_THAT(undated.all("key"), ElementsAre("languages", "sources"));
}

TEST_P(Insight, counts_the_end_day_in_the_data_alone) {
    auto today = measured({{"keys[]", "new_users"}});
    EXPECT_EQ(today["0.total"], "0");
    EXPECT_EQ(today["0.data.2.value"], "3");
    EXPECT_EQ(today["0.data.2.date"], date(0) + "T00:00:00Z");
    EXPECT_EQ(today["0.previous_total"], "0");
    EXPECT_EQ(today["0.unit"], "null");
    auto tomorrow = measured({{"keys[]", "new_users"}}, -1, 1);
    EXPECT_EQ(tomorrow["0.total"], "3");
    EXPECT_EQ(measured({{"keys[]", "new_users"}}, 2, 4)["0.previous_total"], "3");
}

TEST_P(Insight, counts_who_was_here_once) {
    seen(alice), seen(bob), seen(alice);
    w.advance(day);
    seen(alice);
    auto active = measured({{"keys[]", "active_users"}}, -1, 1);
    EXPECT_EQ(active["0.total"], "2");
    EXPECT_EQ(active["0.data.0.value"], "2");
    EXPECT_EQ(active["0.data.1.value"], "1");
    EXPECT_EQ(measured({{"keys[]", "active_users"}}, 0, 1)["0.total"], "1");
    EXPECT_EQ(measured({{"keys[]", "active_users"}}, 0, 1)["0.previous_total"], "2");
    auto weeks = measured({{"keys[]", "active_users"}}, -20, 0);
    EXPECT_EQ(weeks["0.total"], "2");
    EXPECT_EQ(weeks["0.data.19.value"], "2");
    EXPECT_EQ(weeks["0.data.20.value"], "1");
}

const db::Command test_forget_user_days{"test_forget_user_days", "DELETE FROM user_days"};

TEST_P(Insight, counts_who_was_here_by_the_days_on_which_they_came) {
    seen(alice);
    w.advance(day);
    seen(alice), seen(bob);
    w.advance(day);
    seen(alice), seen(alice);
    w.advance(day);
    seen(bob);
    // What is counted needs no look at who they were.
    w.write([](db::Write& db) { db.run(test_forget_user_days); });
    auto three_days = measured({{"keys[]", "active_users"}}, -2, 1);
    EXPECT_EQ(three_days["0.total"], "2");
    EXPECT_EQ(three_days["0.data.0.value"], "2");
    EXPECT_EQ(three_days["0.data.1.value"], "1");
    EXPECT_EQ(three_days["0.data.2.value"], "1");
    EXPECT_EQ(measured({{"keys[]", "active_users"}}, -1, 1)["0.total"], "2");
    EXPECT_EQ(measured({{"keys[]", "active_users"}}, -1, 0)["0.total"], "1");
    EXPECT_EQ(measured({{"keys[]", "active_users"}}, 0, 1)["0.total"], "1");
    EXPECT_EQ(measured({{"keys[]", "active_users"}}, 0, 1)["0.previous_total"], "1");
}

TEST_P(Insight, counts_what_people_do_and_report) {
    auto status = bob.status("hello");
    alice.favourites(status), alice.reblogs(status), alice.follows(bob), alice.answers(status, "hi");
    bob.answers(status, "to myself");
    auto report = alice.post("/api/v1/reports", {{"account_id", bob.id}}).id();
    owner.post("/api/v1/admin/reports/" + report + "/resolve");
    auto all = measured(
        {{"keys[]", "interactions"}, {"keys[]", "opened_reports"}, {"keys[]", "resolved_reports"}}, 0, 1
    );
    EXPECT_THAT(all.all("total"), ElementsAre("4", "1", "1"));
}

TEST_P(Insight, counts_uses_of_a_hashtag_to_the_end) {
    alice.status("#cats"), alice.status("#cats again"), bob.status("#cats");
    auto id = w.read([](db::Read& db) { return std::to_string(tags::find_tag(db, "cats")->id.value); });
    auto all = measured(
        {{"keys[]", "tag_uses"},
         {"keys[]", "tag_accounts"},
         {"keys[]", "tag_servers"},
         {"tag_uses[id]", id},
         {"tag_accounts[id]", id},
         {"tag_servers[id]", id}}
    );
    EXPECT_THAT(all.all("total"), ElementsAre("3", "2", "1"));
}

TEST_P(Insight, counts_each_server_that_used_a_hashtag_once_a_day_and_once_in_all) {
    int notes = 0;
    auto uses = [&](const std::string& name, const std::string& domain) {
        auto said = remote::note(w, remote::somebody(w, name, domain), std::to_string(++notes));
        said.tags = {"cats"};
        ASSERT_NE(remote::stored(w, said), "");
    };
    auto next_day = [&] { w.advance(day); };
    uses("fay", "old.example");
    next_day();
    next_day();
    uses("fay", "a.example"), uses("gus", "a.example"), uses("fay", "a.example");
    alice.status("#cats");
    next_day();
    uses("gus", "a.example"), uses("hal", "b.example");
    const auto id = w.read([](db::Read& db) { return std::to_string(tags::find_tag(db, "cats")->id.value); });
    const auto all = measured({{"keys[]", "tag_servers"}, {"tag_servers[id]", id}}, -2, 0);
    EXPECT_EQ(all["0.data.0.value"], "0");
    EXPECT_EQ(all["0.data.1.value"], "2") << "theirs and ours";
    EXPECT_EQ(all["0.data.2.value"], "2");
    EXPECT_EQ(all["0.total"], "3");
    EXPECT_EQ(all["0.previous_total"], "1");
}

TEST_P(Insight, of_a_server_has_nothing_to_compare_with) {
    auto all = measured({{"keys[]", "instance_accounts"}, {"instance_accounts[domain]", "far.example"}});
    EXPECT_EQ(all["0.total"], "0");
    EXPECT_EQ(all["0.previous_total"], "absent");
    auto media = measured(
        {{"keys[]", "instance_media_attachments"},
         {"instance_media_attachments[domain]", "far.example"},
         {"instance_media_attachments[include_subdomains]", "1"}}
    );
    EXPECT_EQ(media["0.unit"], "bytes");
    EXPECT_EQ(media["0.human_value"], "0 Bytes");
}

TEST_P(Insight, attack_72_looks_back_two_years_at_most) {
    auto long_ago = measured({{"keys[]", "new_users"}}, -50 * 365, 0);
    EXPECT_THAT(long_ago["0.data.731.date"], date(0) + "T00:00:00Z");
    EXPECT_EQ(long_ago["0.data.732"], "absent");
}

TEST_P(Insight, looks_as_far_ahead_as_somebody_asks) {
    for (auto key : {"new_users", "interactions", "opened_reports"})
        EXPECT_EQ(
            owner.post(
                measures, {{"keys[]", key}, {"start_at", "9999-12-01"}, {"end_at", "9999-12-31"}}
            )["0.total"],
            "0"
        ) << key;
}

TEST_P(Insight, sorts_by_kind) {
    seen(alice);
    auto asked = [&](const std::string& key, Fields more = {}) {
        more.emplace_back("keys[]", key);
        // From yesterday: where SetUp moved the clock, the ids above may be of the day before.
        more.emplace_back("start_at", date(-1)), more.emplace_back("end_at", date(1));
        auto answer = owner.post(dimensions, more);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer;
    };
    auto apps = asked("sources");
    EXPECT_EQ(apps["0.data.0.key"], "web");
    EXPECT_EQ(apps["0.data.0.human_key"], "Website");
    EXPECT_EQ(apps["0.data.0.value"], "3");
    EXPECT_EQ(asked("languages")["0.data.0.human_key"], "English");
    alice.status("Hello");
    EXPECT_EQ(asked("servers")["0.data.0.key"], w.site().domain);
    EXPECT_EQ(asked("space_usage")["0.data.0.unit"], "bytes");
    EXPECT_EQ(asked("software_versions")["0.data.0.key"], "dunlin");
    EXPECT_EQ(asked("servers", {{"limit", "0"}})["0.data"], "[]");
    EXPECT_EQ(asked("instance_accounts", {{"instance_accounts[domain]", "far.example"}})["0.data"], "[]");
}

TEST_P(Insight, follows_who_signed_up_together) {
    seen(alice), seen(bob), seen(owner);
    w.advance(day);
    seen(alice);
    auto cohorts =
        owner.post(retention, {{"start_at", date(-1)}, {"end_at", date(0)}, {"frequency", "week"}});
    EXPECT_EQ(cohorts["0.frequency"], "day");
    EXPECT_EQ(cohorts["0.data.0.value"], "3");
    EXPECT_EQ(cohorts["0.data.1.value"], "1");
    EXPECT_EQ(cohorts["1.data.0.value"], "0");
    auto months =
        owner.post(retention, {{"start_at", date(-500)}, {"end_at", date(0)}, {"frequency", "month"}});
    EXPECT_EQ(months.all("period").size(), 13u);
}

}  // namespace

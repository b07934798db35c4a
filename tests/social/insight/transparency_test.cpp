// SPDX-License-Identifier: AGPL-3.0-or-later
// What the team did in a time, in numbers: each of them against what was done.
#include "social/insight/transparency.hpp"
#include "social/moderation/staff.hpp"

#include <gmock/gmock.h>

const db::Command test_small_reports{"test_small_reports", "UPDATE reports SET id = id % 10000"};
const db::Command test_small_strikes{"test_small_strikes", "UPDATE strikes SET id = id % 10000"};
const db::Command test_small_appeals{"test_small_appeals", "UPDATE appeals SET id = id % 10000"};

namespace {

using testing::HasSubstr, testing::Not;

const std::string report_path = "/api/dunlin/v1/moderation/transparency";

struct Transparency : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), alice = w.local("alice"), bad = w.local("bad");

    // Ids are times, and never go back in a process where an earlier test was ahead of this one.
    void SetUp() override {
        auto ahead = std::stoll(bad.id) / 65'536 - w.now().ms;
        if (ahead > 0) w.advance(ahead / 1000 + 1);
    }
    std::string date(std::int64_t days_from_now) const {
        return base::to_string(base::Date{w.now().plus_seconds(days_from_now * 86'400).midnight().ms});
    }
    Answer counted(std::int64_t from, std::int64_t to, const std::string& form = "") {
        return owner.get(report_path + form, {{"start_at", date(from)}, {"end_at", date(to)}});
    }
    std::string reported(const std::string& category) {
        auto made = alice.post("/api/v1/reports", {{"account_id", bad.id}, {"category", category}});
        EXPECT_EQ(made.status, 200) << made.body;
        return made.id();
    }
    void act(const std::string& type, const std::string& report = "") {
        Fields fields{{"type", type}, {"text", "Enough"}};
        if (!report.empty()) fields.emplace_back("report_id", report);
        EXPECT_EQ(owner.post("/api/v1/admin/accounts/" + bad.id + "/action", fields).status, 200);
    }
};
ON_EACH_DATABASE(Transparency);

TEST_P(Transparency, counts_reports_decisions_appeals_and_the_log) {
    auto first = reported("spam");
    reported("other");
    w.advance(5 * 3600);
    act("silence", first);
    act("none");
    auto strike = bad.get("/api/dunlin/v1/strikes")["0.id"];
    EXPECT_EQ(bad.post("/api/dunlin/v1/strikes/" + strike + "/appeal", {{"text", "No"}}).status, 200);
    auto appeal = owner.get("/api/dunlin/v1/moderation/appeals")["0.id"];
    EXPECT_EQ(owner.post("/api/dunlin/v1/moderation/appeals/" + appeal + "/reject").status, 200);

    auto found = counted(-1, 1);
    EXPECT_EQ(found.status, 200) << found.body;
    EXPECT_EQ(found["reports.0.category"], "other");
    EXPECT_EQ(found["reports.0.count"], "1");
    EXPECT_EQ(found["reports.1.category"], "spam");
    EXPECT_EQ(found["reports.1.sender"], "here");
    EXPECT_EQ(found["reports_resolved"], "2");
    EXPECT_EQ(found["report_median_hours"], "5");
    EXPECT_EQ(found["acts.0.action"], "none");
    EXPECT_EQ(found["acts.0.ground"], "own_initiative");
    EXPECT_EQ(found["acts.1.action"], "silence");
    EXPECT_EQ(found["acts.1.ground"], "spam");
    EXPECT_EQ(found["acts_automated"], "0");
    EXPECT_EQ(found["acts_overruled"], "0");
    EXPECT_EQ(found["appeals.0.state"], "rejected");
    EXPECT_EQ(found["appeal_median_hours"], "0");
    EXPECT_THAT(found.body, HasSubstr(R"({"action":"silence","target":"Account","count":1})"));
    EXPECT_THAT(found.body, Not(HasSubstr("alice")));
    EXPECT_EQ(found["posts_held_by_rules"], "0");
    // Why it was decided stays as it was then.
    EXPECT_EQ(owner.put("/api/v1/admin/reports/" + first, {{"category", "legal"}}).status, 200);
    found = counted(-1, 1);
    EXPECT_EQ(found["reports.0.category"] + " " + found["acts.1.ground"], "legal spam");
}

TEST_P(Transparency, leaves_out_what_was_before_and_after) {
    reported("spam");
    w.advance(3 * 86'400);
    auto before = counted(-1, 0), then = counted(-3, -3);
    EXPECT_EQ(before["reports"], "[]") << before.body;
    EXPECT_EQ(then["reports.0.count"], "1") << then.body;
    EXPECT_EQ(then["report_median_hours"], "null") << "none was resolved";
    EXPECT_EQ(counted(-3, 0)["reports.0.count"], "1");
}

TEST_P(Transparency, counts_what_was_taken_over_by_its_time_whatever_its_number) {
    auto first = reported("spam");
    act("none", first);
    act("silence");
    auto strike = bad.get("/api/dunlin/v1/strikes")["0.id"];
    EXPECT_EQ(bad.post("/api/dunlin/v1/strikes/" + strike + "/appeal", {{"text", "No"}}).status, 200);
    w.write([](db::Write& db) {
        // As another server numbers them: one after the other, from the beginning.
        db.run(test_small_strikes), db.run(test_small_appeals), db.run(test_small_reports);
    });
    auto found = counted(-1, 1);
    EXPECT_EQ(found["reports.0.count"], "1") << found.body;
    EXPECT_EQ(found["acts.0.count"] + found["acts.1.count"], "11");
    EXPECT_EQ(found["appeals.0.count"], "1");
    w.advance(10 * 86'400);
    auto later = counted(-5, 0);
    EXPECT_EQ(later["reports"] + later["acts"] + later["appeals"], "[][][]") << later.body;
}

TEST_P(Transparency, is_a_text_and_a_table_too) {
    reported("legal");
    auto table = counted(-1, 1, ".csv");
    auto text = w.read([&](db::Read& db) {
        auto today = w.now().ms / 86'400'000;
        return insight::markdown(insight::transparency(db, {today - 1, today + 1}), db.site());
    });
    EXPECT_THAT(text, HasSubstr("# Moderation of"));
    EXPECT_THAT(text, HasSubstr("| legal | here | 1 |"));
    EXPECT_THAT(table.body, HasSubstr("section,of,what,count\n"));
    EXPECT_THAT(table.body, HasSubstr("reports,legal,here,1"));
    EXPECT_EQ(owner.get(report_path).status, 400);
    EXPECT_EQ(owner.get(report_path, {{"start_at", "x"}, {"end_at", date(0)}}).status, 422);
    EXPECT_EQ(alice.get(report_path, {{"start_at", date(0)}, {"end_at", date(0)}}).status, 403);
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// The page that says how the server does, without JavaScript.
#include "social/insight/vitals.hpp"
#include "social/pages/staff/stage.hpp"

#include <gmock/gmock.h>

namespace {

using namespace staff_test;

struct HealthPages : StaffStage {
    HealthPages() {
        services.answers<insight::LookAtServer>([this](const auto&) {
            ++looks;
            return vitals;
        });
        services.answers<insight::ExamineServer>([](const auto&) {
            return std::vector<insight::Finding>{
                {"ok", "database", "is sound"}, {"fault", "clock", "the clock is 40 s late"}
            };
        });
        vitals.host = "machine";
        vitals.version = "1.2.3";
        vitals.up_seconds = 7200;
    }
    std::string health = desk + "/health";
    insight::Vitals vitals;
    int looks = 0;
};
ON_EACH_DATABASE(HealthPages);

TEST_P(HealthPages, open_to_whom_looks_after_the_server_and_to_nobody_else) {
    for (auto may :
         {std::int64_t(0), permission::manage_reports, permission::manage_settings, permission::view_audit_log
         }) {
        auto who = member("staff" + std::to_string(may), may);
        EXPECT_EQ(who->get(health).status, 403) << may;
        EXPECT_EQ(who->get(health + "/doctor").status, 403) << may;
    }
    EXPECT_EQ(looks, 0);
    Browser nobody{*this};
    EXPECT_EQ(nobody.get(health).status, 302);
    auto who = member("dora", permission::view_devops);
    auto page = who->get(health);
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(header(page, "Cache-Control"), "private, no-store");
    EXPECT_FALSE(has(page, "<script"));
    EXPECT_TRUE(has(page, "Nothing is wrong, and nothing is slow."));
    EXPECT_TRUE(has(page, "Dunlin 1.2.3, machine"));
    EXPECT_TRUE(has(who->get(desk), "/settings/moderation/health"));
}

TEST_P(HealthPages, say_what_is_wrong_and_why_it_is_slow) {
    vitals.troubles = {{"disk", "812 MB are free"}, {"backup", "the last copy is 3 days old"}};
    vitals.slow_because = {{"writer", "83 % of the time"}};
    vitals.routes = {{"GET", "/api/v1/timelines/home", 120, 3, 25.5, 61}};
    vitals.statements = {{"home_<page>", 7, 345}};
    vitals.long_changes = {{"fan_out", 0, 350}};
    vitals.nodes = {{"a1", "machine", "web,jobs", "1.2.3", 7200}};
    vitals.hours = {{{1'767'225'600'000}, 3600, 12, 45, 30, 80}};
    vitals.refused = {{"API, by token", "Birds <1> of @alice", 41, {}, {1'767'225'600'000}}};
    vitals.queues = insight::Queues{.jobs_waiting = 17, .deliveries_waiting = 4, .deliveries_retrying = 5};
    vitals.backup = insight::BackupVitals{};
    write([&](db::Write& db) { moderation::note_troubles(db, "machine", {{"disk", "900 MB are free"}}); });
    auto page = member("dora", permission::view_devops)->get(health);
    ASSERT_EQ(page.status, 200);
    for (auto text :
         {"The disk is nearly full",
          "900 MB are free",
          "The backup is not made any more",
          "the last copy is 3 days old",
          "The database is busy writing",
          "83 % of the time",
          "GET /api/v1/timelines/home",
          "61 %",
          "home_&lt;page&gt;",
          "fan_out",
          "web,jobs",
          "Refused by rate limits lately",
          "Birds &lt;1&gt; of @alice",
          "41 ×",
          "API, by token, 2026-01-01",
          "5xx: 12",
          "<dt>Jobs that wait</dt><dd>17</dd>",
          "<dt>Deliveries that wait</dt><dd>4 + 5</dd>"})
        EXPECT_TRUE(has(page, text)) << text << page.body;
    EXPECT_FALSE(has(page, "812 MB")) << "the same trouble twice";
    EXPECT_FALSE(has(page, "Nothing is wrong"));
}

TEST_P(HealthPages, show_what_the_doctor_finds) {
    auto page = member("dora", permission::view_devops)->get(health + "/doctor");
    ASSERT_EQ(page.status, 200);
    EXPECT_TRUE(has(page, "the clock is 40 s late"));
    EXPECT_TRUE(has(page, "a fault"));
    EXPECT_TRUE(has(page, "is sound"));
}

}  // namespace

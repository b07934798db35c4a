// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/monitoring/vitals.hpp"

#include <gmock/gmock.h>

namespace {

using server::Meter, server::Sample, server::VitalsWatch;
using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::SizeIs;
using namespace std::chrono_literals;

int show(db::Read&) { return 1; }
constexpr http::Route table[] = {http::get<show>("/api/v1/things/:id"), http::post<show>("/api/v1/things")};

struct Vitals : testing::Test {
    static constexpr base::Time start{1'767'225'600'000};

    insight::Vitals after(std::int64_t seconds) {
        now = now.plus_seconds(seconds);
        watch.count(sample, costs, now);
        return watch.vitals(sample, costs, now);
    }
    std::vector<std::string> reasons(const insight::Vitals& seen) {
        std::vector<std::string> kinds;
        for (const auto& one : seen.slow_because) {
            EXPECT_NE(insight::sentence_of_slowness(one.kind), one.kind) << "nothing is said of it";
            kinds.push_back(one.kind);
        }
        return kinds;
    }

    server::Machine machine{4, 1, 2, 1};
    VitalsWatch watch{machine};
    Sample sample;
    std::vector<Meter::Cost> costs;
    base::Time now = start;
};

TEST_F(Vitals, are_those_of_the_last_minute) {
    after(0);
    for (int i = 0; i < 30; ++i) {
        sample.answered += 100;
        sample.failed += 1;
        sample.database.changes += 20;
        sample.database.writing += 2s;
        sample.database.reading += 4s;
        sample.process.cpu_seconds += 5;
        after(10);
    }
    const auto busy = watch.vitals(sample, costs, now);
    EXPECT_EQ(busy.rates.requests, 10);
    EXPECT_EQ(busy.rates.failed, 0.1);
    EXPECT_EQ(busy.rates.changes, 2);
    EXPECT_EQ(busy.rates.writer_percent, 20);
    EXPECT_EQ(busy.rates.readers_percent, 10);
    EXPECT_EQ(busy.rates.cpu_percent, 50);
    EXPECT_THAT(busy.slow_because, IsEmpty());
    after(60), after(10);
    EXPECT_EQ(after(10).rates.requests, 0);
}

TEST_F(Vitals, say_why_it_is_slow_with_the_figure_and_what_changes_it) {
    after(0);
    EXPECT_THAT(reasons(after(10)), IsEmpty());
    sample.database.writing += 8s;
    sample.database.writes_waiting = 70;
    sample.database.longest_changes = {{"fan_out", 350ms}};
    auto seen = after(10);
    EXPECT_THAT(reasons(seen), IsEmpty()) << "half of the time";
    sample.database.writing += 10s;
    seen = after(5);
    EXPECT_THAT(reasons(seen), ElementsAre("writer"));
    EXPECT_THAT(
        seen.slow_because[0].detail,
        HasSubstr("72 % of the time, 70 changes wait; the longest: fan_out, 350 ms")
    );
    sample.database.reading += 300s;
    sample.database.reads_refused += 5;
    sample.database.commits += 100;
    sample.database.committing += 4s;
    sample.cpu_waiting = 3;
    sample.job_failures += 11;
    sample.process.cpu_seconds += 119;
    EXPECT_THAT(reasons(after(5)), ElementsAre("refused", "readers", "commit", "cpu", "machine", "jobs"));
}

TEST_F(Vitals, name_the_route_that_takes_most_of_the_time_lately) {
    costs = {{&table[0], 100'000, 0, 5000}, {&table[1], 10, 0, 1}};
    after(0), after(300);
    costs = {{&table[0], 100'010, 1, 5000.1}, {&table[1], 110, 0, 91}};
    after(300);
    sample.database.writing += 55s;
    const auto seen = after(60);
    ASSERT_THAT(seen.routes, SizeIs(2));
    EXPECT_EQ(seen.routes[0].path, "/api/v1/things");
    EXPECT_EQ(seen.routes[0].requests, 100);
    EXPECT_EQ(seen.routes[0].mean_ms, 900);
    EXPECT_EQ(seen.routes[0].percent, 99.9);
    EXPECT_EQ(seen.routes[1].failed, 1);
    EXPECT_THAT(reasons(seen), ElementsAre("writer", "route"));
    EXPECT_THAT(seen.slow_because[1].detail, HasSubstr("POST /api/v1/things: 100 %, 100 requests of 900 ms"));
}

TEST_F(Vitals, remember_a_day_by_the_hour) {
    for (int minute = 0; minute < 30 * 60; ++minute) {
        sample.answered += 10;
        if (minute == 29 * 60 + 30) sample.database.writing += 30s;
        after(60);
    }
    const auto seen = watch.vitals(sample, costs, now);
    ASSERT_THAT(seen.hours, SizeIs(24));
    EXPECT_EQ(seen.hours[1].requests, 600);
    EXPECT_EQ(seen.hours[1].writer_percent + seen.hours[0].writer_percent, 50) << "its busiest minute";
    EXPECT_EQ(seen.hours[2].writer_percent, 0);
    EXPECT_EQ(seen.hours[0].from.ms - seen.hours[23].from.ms, std::int64_t{23} * 3'600'000);
}

TEST_F(Vitals, are_known_before_anything_was_counted) {
    sample.version = "1.2.3";
    sample.database.slow_statements = {{"home", 3, 120ms}};
    const auto seen = watch.vitals(sample, costs, now);
    EXPECT_EQ(seen.version, "1.2.3");
    EXPECT_EQ(seen.rates.requests, 0);
    ASSERT_THAT(seen.statements, SizeIs(1));
    EXPECT_EQ(seen.statements[0].longest_ms, 120);
    EXPECT_THAT(reasons(seen), IsEmpty());
}

}  // namespace

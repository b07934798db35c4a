// SPDX-License-Identifier: AGPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/monitoring/metrics.hpp"
#include "server/thread_pool.hpp"

#include <future>
#include <thread>

namespace {

using testing::HasSubstr, testing::Not;

int show(db::Read&) { return 1; }
constexpr http::Route table[] = {http::get<show>("/api/v1/things/:id"), http::post<show>("/api/v1/things")};

struct Metrics : testing::Test {
    Metrics() { router.add(table); }
    http::Router router;
    server::Meter meter{router};
};

TEST_F(Metrics, count_requests_by_route_and_class_of_status) {
    meter.finished(table[0], 200, 0.002);
    meter.finished(table[0], 404, 0.002);
    meter.finished(table[0], 422, 2);
    auto page = meter.page({});
    EXPECT_THAT(
        page, HasSubstr(R"(dunlin_requests_total{method="GET",route="/api/v1/things/:id",status="2xx"} 1)")
    );
    EXPECT_THAT(
        page, HasSubstr(R"(dunlin_requests_total{method="GET",route="/api/v1/things/:id",status="4xx"} 2)")
    );
    EXPECT_THAT(
        page,
        HasSubstr(R"(dunlin_request_seconds_bucket{method="GET",route="/api/v1/things/:id",le="0.0025"} 2)")
    );
    EXPECT_THAT(
        page, HasSubstr(R"(dunlin_request_seconds_count{method="GET",route="/api/v1/things/:id"} 3)")
    );
}

TEST_F(Metrics, say_nothing_of_routes_that_nobody_asked_for) {
    meter.finished(table[0], 200, 0.002);
    EXPECT_THAT(meter.page({}), Not(HasSubstr("route=\"/api/v1/things\"")));
}

TEST_F(Metrics, show_the_size_of_commits_as_a_histogram) {
    server::Sample sample;
    sample.database.groups = {2, 1};
    sample.database.changes = 4;
    auto page = meter.page(sample);
    EXPECT_THAT(page, HasSubstr("dunlin_commit_changes_bucket{le=\"1\"} 2\n"));
    EXPECT_THAT(page, HasSubstr("dunlin_commit_changes_bucket{le=\"3\"} 3\n"));
    EXPECT_THAT(page, HasSubstr("dunlin_commit_changes_bucket{le=\"+Inf\"} 3\n"));
    EXPECT_THAT(page, HasSubstr("dunlin_commit_changes_sum 4\n"));
}

TEST_F(Metrics, tell_of_the_process_and_its_disk) {
    server::Sample sample;
    sample.process = server::process_figures();
    sample.version = "1.2.3";
    sample.free_for_data = server::free_bytes("/");
    sample.free_for_media = server::free_bytes("/there/is/no/such/folder");
    const auto now = static_cast<double>(::time(nullptr));
    EXPECT_GT(sample.process.started_at, now - 86'400);
    EXPECT_LT(sample.process.started_at, now + 1);
    EXPECT_GT(sample.process.resident_bytes, 1'000'000u);
    EXPECT_GE(sample.process.open_files, 3u);
    EXPECT_GT(sample.process.open_files_at_most, sample.process.open_files);
    auto page = meter.page(sample);
    EXPECT_THAT(page, HasSubstr("dunlin_build_info{version=\"1.2.3\"} 1\n"));
    EXPECT_THAT(page, HasSubstr("dunlin_disk_free_bytes{folder=\"data\"} "));
    EXPECT_THAT(page, Not(HasSubstr("folder=\"media\""))) << "that cannot be known";
    EXPECT_THAT(page, Not(HasSubstr("dunlin_certificate_expiry_timestamp_seconds")));
    sample.certificate = {{1'792'000'000'000}, {1'800'000'000'000}};
    EXPECT_THAT(meter.page(sample), HasSubstr("dunlin_certificate_start_timestamp_seconds 1792000000\n"));
    EXPECT_THAT(meter.page(sample), HasSubstr("dunlin_certificate_expiry_timestamp_seconds 1800000000\n"));
}

TEST_F(Metrics, tell_of_push_messages) {
    server::Sample sample;
    sample.pushes = {.sent = 7, .failed = 3, .gone = 2, .under_way = 1};
    sample.stored = server::Sample::Stored{};
    sample.stored->pushes_waiting = 5;
    auto page = meter.page(sample);
    EXPECT_THAT(page, HasSubstr("dunlin_pushes_sent_total 7\n"));
    EXPECT_THAT(page, HasSubstr("dunlin_pushes_failed_total 3\n"));
    EXPECT_THAT(page, HasSubstr("dunlin_push_subscriptions_ended_total 2\n"));
    EXPECT_THAT(page, HasSubstr("dunlin_pushes_under_way 1\n"));
    EXPECT_THAT(page, HasSubstr("dunlin_pushes_waiting 5\n"));
}

TEST_F(Metrics, leave_out_what_the_database_did_not_say) {
    server::Sample sample;
    EXPECT_THAT(meter.page(sample), Not(HasSubstr("dunlin_jobs_waiting")));
    sample.stored = {3, 1, 4096};
    EXPECT_THAT(meter.page(sample), HasSubstr("dunlin_jobs_waiting 3\n"));
    EXPECT_THAT(meter.page(sample), HasSubstr("dunlin_database_bytes 4096\n"));
}

TEST_F(Metrics, tell_of_each_build_once_and_of_none_that_was_given_up) {
    server::Sample sample;
    sample.stored = server::Sample::Stored{};
    sample.stored->builds = {
        {.name = "recount", .done = 0.75},
        {.name = "recount", .done = 0.25},
        {.name = "recount", .done = 0.5},
        {.name = "index_older", .done = 0.125, .given_up = true}
    };
    const auto page = meter.page(sample);
    EXPECT_THAT(page, HasSubstr("dunlin_build_done_ratio{build=\"recount\"} 0.25\n"));
    EXPECT_THAT(page, Not(HasSubstr("} 0.75\n")));
    EXPECT_THAT(page, Not(HasSubstr("index_older")));
}

constexpr std::chrono::seconds patience{30};

TEST(ThreadPool, refuses_when_too_much_waits_and_ends_after_what_is_under_way) {
    server::ThreadPool cpu(1, 1);
    std::promise<void> begun, go;
    std::atomic<int> done = 0;
    EXPECT_TRUE(cpu.push([&] {
        begun.set_value();
        go.get_future().get();
        ++done;
    }));
    ASSERT_EQ(begun.get_future().wait_for(patience), std::future_status::ready);
    EXPECT_TRUE(cpu.push([&] { ++done; }));
    EXPECT_EQ(cpu.waiting(), 1u);
    EXPECT_FALSE(cpu.push([&] { ++done; }));
    std::thread end([&] { cpu.stop(); });
    const auto latest = std::chrono::steady_clock::now() + patience;
    while (cpu.waiting() > 0 && std::chrono::steady_clock::now() < latest) std::this_thread::yield();
    EXPECT_EQ(cpu.waiting(), 0u);
    go.set_value();
    end.join();
    EXPECT_EQ(done, 1);
}

TEST(ThreadPool, survives_a_task_that_throws) {
    server::ThreadPool cpu(1, 4);
    std::promise<void> after;
    cpu.push([] { throw std::runtime_error("broken"); });
    cpu.push([&] { after.set_value(); });
    EXPECT_EQ(after.get_future().wait_for(patience), std::future_status::ready);
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// The queue of deliveries: what is put in, what comes out when, what an answer leads to.
#include "social/federation/delivery/hosts.hpp"
#include "social/instance/domain_block.hpp"
#include "support/periodic.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using namespace federation;
using testing::ElementsAre, testing::IsEmpty, testing::UnorderedElementsAre;
using Texts = std::vector<std::string>;

struct Deliveries : OnEachWorld {
    const Pace pace;

    void send(const std::string& body, const Texts& inboxes, const std::string& object = "o") {
        OutgoingActivity out;
        out.signer = {1};
        out.body = body;
        out.object = object;
        send(out, inboxes);
    }
    void send(const OutgoingActivity& out, const Texts& inboxes) {
        w.write([&](db::Write& db) { federation::send(db, out, inboxes); });
    }
    Work work(const Report& report = {}, Capacity room = {10, 10}) {
        return w.write([&](db::Write& db) { return exchange(db, report, room, pace); });
    }
    std::string body(ActivityId id) {
        return w.read([&](db::Read& db) { return bodies(db, {id}); }).at(id);
    }
    // "inbox body" of everything that is due, of which nothing becomes anything.
    Texts due() {
        Texts out;
        Report report;
        for (const auto& batch : work().batches) {
            report.finished.push_back(batch.host);
            for (const auto& one : batch.deliveries) out.push_back(one.inbox + " " + body(one.activity));
        }
        work(report, {});
        return out;
    }
    // Everything that is due gets this answer.
    int answer(Verdict verdict, std::int64_t wait = 0, bool gone = false) {
        Report report;
        for (const auto& batch : work().batches) {
            report.finished.push_back(batch.host);
            for (const auto& one : batch.deliveries)
                report.outcomes.push_back(
                    {one, batch.host, verdict, batch.signature_scheme, wait, gone, "answered something"}
                );
        }
        work(report, {});
        return static_cast<int>(report.outcomes.size());
    }
    HostState host_state() {
        for (const auto& line : w.read(hosts))
            if (line.host == "a.example") return line.state;
        return HostState::well;
    }
    // So many activities that wait for a host.
    void fill(const std::string& host, int many) {
        w.write([&](db::Write& db) {
            for (int i = 0; i < many; ++i) {
                OutgoingActivity out{{1}, "hello", host + " " + std::to_string(i)};
                federation::send(db, out, {"https://" + host + "/inbox"});
            }
        });
    }
    void lone_activity() {
        w.write([](db::Write& db) { record(db, db.new_id<ActivityId>(), {{1}, "hello", "o"}); });
    }
    std::int64_t waiting() {
        auto figures = w.read(queue_figures);
        return figures.waiting + figures.retrying;
    }
    HostLine host(const std::string& name) {
        for (auto& line : w.read(hosts))
            if (line.host == name) return line;
        ADD_FAILURE() << name;
        return {};
    }
};
ON_EACH_DATABASE(Deliveries);

TEST_P(Deliveries, reach_each_inbox_once_and_are_gone) {
    send("hello", {"https://a.example/inbox", "https://b.example:8443/in", "https://a.example/inbox"});
    EXPECT_EQ(w.changed(), "activities +1, deliveries +2, hosts +2");
    EXPECT_THAT(
        due(), UnorderedElementsAre("https://a.example/inbox hello", "https://b.example:8443/in hello")
    );
    EXPECT_EQ(answer(Verdict::delivered), 2);
    EXPECT_THAT(due(), IsEmpty());
    EXPECT_EQ(w.changed(), "deliveries -2");
    // Ids grow through the whole process, whose other tests may have been ahead.
    auto later = w.write([](db::Write& db) { return db.new_id<ActivityId>(); }).value >> 16;
    w.advance((later - w.now().ms) / 1000 + 2 * 86'400);
    support::run_periodic(w, purge_activities);
    EXPECT_EQ(w.changed(), "activities -1");
}

TEST_P(Deliveries, leave_out_ourselves_blocked_domains_and_what_is_no_address) {
    w.write([](db::Write& db) {
        instance::put_domain_block(db, {"bad.example", instance::Severity::suspend});
        instance::put_domain_block(db, {"quiet.example", instance::Severity::silence});
        instance::put_domain_block(db, {"noted.bad.example", instance::Severity::noop});
    });
    w.changed();
    send(
        "hello",
        {w.site().public_url + "/inbox",
         "https://bad.example/inbox",
         "https://x.BAD.example:444/inbox",
         "ftp://a.example/inbox",
         "nonsense",
         ""}
    );
    EXPECT_EQ(w.changed(), "");
    send("hello", {"https://notbad.example/inbox", "https://quiet.example/inbox"});
    EXPECT_THAT(
        due(), UnorderedElementsAre("https://notbad.example/inbox hello", "https://quiet.example/inbox hello")
    );
}

TEST_P(Deliveries, about_one_object_keep_their_order_through_failures) {
    send("create", {"https://a.example/inbox"});
    w.advance(1);
    send("update", {"https://a.example/inbox"});
    send("other", {"https://b.example/inbox"}, "another");
    EXPECT_THAT(
        due(), UnorderedElementsAre("https://a.example/inbox create", "https://b.example/inbox other")
    );
    EXPECT_EQ(answer(Verdict::failed), 2);
    EXPECT_THAT(due(), IsEmpty());
    w.advance(5);
    send("delete", {"https://a.example/inbox"});
    EXPECT_THAT(due(), IsEmpty());
    w.advance(60);
    EXPECT_THAT(due(), testing::Contains("https://a.example/inbox create"));
    answer(Verdict::delivered);
    EXPECT_THAT(due(), ElementsAre("https://a.example/inbox update"));
    answer(Verdict::delivered);
    EXPECT_THAT(due(), ElementsAre("https://a.example/inbox delete"));
    answer(Verdict::refused);
    EXPECT_EQ(w.read(queue_figures).waiting + w.read(queue_figures).retrying, 0);
}

TEST_P(Deliveries, that_cannot_be_signed_yet_are_nobodys_failure_and_tried_again_soon) {
    send("create", {"https://a.example/inbox"});
    send("update", {"https://a.example/inbox"});
    for (int seconds : {1, 2, 4, 8}) {
        EXPECT_EQ(answer(Verdict::unready), 1);
        EXPECT_THAT(due(), IsEmpty());
        w.advance(seconds);
    }
    EXPECT_EQ(host_state(), HostState::well);
    EXPECT_THAT(due(), ElementsAre("https://a.example/inbox create"));
    answer(Verdict::delivered);
    EXPECT_THAT(due(), ElementsAre("https://a.example/inbox update"));
}

TEST_P(Deliveries, that_are_never_signed_are_given_up) {
    send("create", {"https://a.example/inbox"});
    for (int day = 0; day < 60 && waiting() > 0; ++day) {
        answer(Verdict::unready);
        w.advance(86'400);
    }
    EXPECT_EQ(waiting(), 0);
    EXPECT_EQ(host_state(), HostState::well);
}

TEST_P(Deliveries, that_failed_wait_longer_each_time_and_are_given_up) {
    send("hello", {"https://a.example/inbox"});
    int tries = 0;
    auto begun = w.now();
    for (; w.read(queue_figures).waiting + w.read(queue_figures).retrying > 0 && tries < 50;) {
        if (answer(Verdict::failed) > 0) ++tries;
        // A day of failures is counted once; here the host is never given up.
        w.write([](db::Write& db) { heard_from(db, "a.example"); });
        w.advance(600);
    }
    EXPECT_EQ(tries, most_retries + 1);
    EXPECT_GT(w.now().ms - begun.ms, 2 * 86'400'000);
    EXPECT_THAT(due(), IsEmpty());
}

TEST_P(Deliveries, wait_as_long_as_they_are_asked_to) {
    send("hello", {"https://a.example/inbox"});
    answer(Verdict::failed, 3600);
    send("more", {"https://a.example/inbox"}, "another");
    w.advance(3500);
    EXPECT_THAT(due(), IsEmpty());
    w.advance(101);
    EXPECT_THAT(due(), ElementsAre("https://a.example/inbox more"));
}

TEST_P(Deliveries, to_a_host_that_failed_ten_times_in_a_row_pause) {
    for (int i = 0; i < 12; ++i) send("hello", {"https://a.example/inbox"}, std::to_string(i));
    send("hello", {"https://b.example/inbox"});
    Report report;
    for (const auto& batch : work().batches) {
        report.finished.push_back(batch.host);
        for (const auto& one : batch.deliveries) {
            auto verdict = batch.host == "a.example" ? Verdict::failed : Verdict::delivered;
            report.outcomes.push_back({one, batch.host, verdict});
        }
    }
    work(report, {});
    EXPECT_EQ(host("a.example").state, HostState::paused);
    EXPECT_EQ(host("b.example").state, HostState::well);
    w.advance(59);
    EXPECT_THAT(due(), IsEmpty());
    w.advance(2);
    EXPECT_EQ(due().size(), 1u);
    answer(Verdict::delivered);
    EXPECT_EQ(due().size(), 11u);
}

TEST_P(Deliveries, end_for_a_host_that_failed_on_seven_days_until_it_is_heard_of) {
    OutgoingActivity follow;
    follow.body = "follow";
    follow.object = "f";
    follow.always = true;
    for (int day = 1; day <= 7; ++day) {
        EXPECT_NE(host_state(), HostState::unavailable) << day;
        send("hello", {"https://a.example/inbox"}, std::to_string(day));
        if (day == 6) send(follow, {"https://a.example/inbox"});
        answer(Verdict::failed);
        w.advance(30);
        answer(Verdict::failed);
        w.advance(86'400);
    }
    EXPECT_EQ(host_state(), HostState::unavailable);
    send("hello", {"https://a.example/inbox"});
    EXPECT_THAT(due(), ElementsAre("https://a.example/inbox follow"));
    EXPECT_EQ(w.read(queue_figures).hosts_unavailable, 1);

    w.write([](db::Write& db) { heard_from(db, "a.example"); });
    EXPECT_EQ(host_state(), HostState::well);
    send("again", {"https://a.example/inbox"});
    EXPECT_THAT(due(), testing::Contains("https://a.example/inbox again"));
}

TEST_P(Deliveries, are_leased_to_one_sender_at_a_time) {
    send("hello", {"https://a.example/inbox"});
    EXPECT_EQ(work().batches.size(), 1u);
    EXPECT_THAT(work().batches, IsEmpty());
    w.advance(lease_seconds + 1);
    EXPECT_EQ(work().batches.size(), 1u);
    w.write([](db::Write& db) { release_hosts(db, ""); });
    EXPECT_EQ(work().batches.size(), 1u);
}

TEST_P(Deliveries, tell_when_to_look_again) {
    EXPECT_FALSE(work().next_at);
    send("hello", {"https://a.example/inbox"});
    EXPECT_EQ(work({}, {}).next_at, w.now());
    answer(Verdict::failed);
    auto next = work().next_at;
    ASSERT_TRUE(next);
    EXPECT_GE(next->ms, w.now().ms + 15'000);
    EXPECT_LE(next->ms, w.now().ms + 25'000);
}

TEST_P(Deliveries, can_be_hastened_by_the_operator) {
    send("hello", {"https://a.example/inbox", "https://b.example/inbox"});
    answer(Verdict::failed);
    auto lines = w.read(queue);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].retrying, 1);
    EXPECT_EQ(lines[0].error, "answered something");
    EXPECT_EQ(w.write([](db::Write& db) { return retry_now(db, "b.example"); }), 1);
    EXPECT_THAT(due(), ElementsAre("https://b.example/inbox hello"));
    EXPECT_EQ(w.write([](db::Write& db) { return retry_now(db, ""); }), 2);
    EXPECT_EQ(due().size(), 2u);
}

TEST_P(Deliveries, to_a_host_that_is_gone_are_dropped_chunk_by_chunk) {
    constexpr int more_than_a_chunk = 501;
    for (int day = 1; day <= 7; ++day) {
        send("hello", {"https://a.example/inbox"});
        if (day == 7) fill("a.example", more_than_a_chunk);
        answer(Verdict::failed);
        w.advance(86'400);
    }
    EXPECT_EQ(host_state(), HostState::unavailable);
    w.changed();
    EXPECT_GT(waiting(), 0);
    EXPECT_EQ(w.run_jobs(), 1);
    EXPECT_EQ(waiting(), 0);
}

TEST_P(Deliveries, to_a_host_that_is_heard_of_between_two_chunks_stay) {
    constexpr int more_than_a_chunk = 501;
    for (int day = 1; day <= 7; ++day) {
        send("hello", {"https://a.example/inbox"});
        if (day == 7) fill("a.example", more_than_a_chunk);
        answer(Verdict::failed);
        w.advance(86'400);
    }
    const auto left = waiting();
    w.write([](db::Write& db) { heard_from(db, "a.example"); });
    w.run_jobs();
    EXPECT_EQ(waiting(), left);
}

TEST_P(Deliveries, to_a_suspended_server_are_dropped_chunk_by_chunk_and_others_stay) {
    fill("a.example", 500);
    fill("deep.a.example", 700);
    fill("b.example", 3);
    fill("za.example", 1);
    fill("noted.a.example", 2);  // its own rule decides
    w.write([](db::Write& db) {
        instance::put_domain_block(db, {"noted.a.example", instance::Severity::noop});
        instance::put_domain_block(db, {"a.example", instance::Severity::suspend});
        db.emit(instance::ServerLimited{"a.example"});
    });
    w.run_jobs();
    EXPECT_EQ(waiting(), 6);
}

TEST_P(Deliveries, leave_no_activities_behind_however_many_still_wait) {
    fill("a.example", 600);  // these wait
    for (int i = 0; i < 520; ++i) lone_activity();
    fill("b.example", 1);
    lone_activity();
    auto later = w.write([](db::Write& db) { return db.new_id<ActivityId>(); }).value >> 16;
    w.advance((later - w.now().ms) / 1000 + 2 * 86'400);
    w.changed();
    support::run_periodic(w, purge_activities);
    w.run_jobs();
    EXPECT_THAT(w.changed(), testing::HasSubstr("activities -521"));
    support::run_periodic(w, purge_activities);
    w.run_jobs();
    EXPECT_THAT(w.changed(), testing::Not(testing::HasSubstr("activities")));
}

TEST_P(Deliveries, to_healthy_hosts_are_leased_however_many_failing_ones_are_due) {
    for (int i = 0; i < 60; ++i) send("hello", {"https://sick" + std::to_string(i) + ".example/inbox"});
    Report report;
    for (const auto& batch : work({}, {100, 100}).batches) {
        report.finished.push_back(batch.host);
        for (const auto& one : batch.deliveries)
            report.outcomes.push_back(
                {one, batch.host, Verdict::failed, batch.signature_scheme, 0, false, "no"}
            );
    }
    work(report, {});
    w.advance(3600);
    send("hello", {"https://well.example/inbox"});
    auto found = work({}, {10, 0});
    ASSERT_EQ(found.batches.size(), 1u);
    EXPECT_EQ(found.batches[0].host, "well.example");
    EXPECT_EQ(work({}, {10, 48}).batches.size(), 48u);
    auto next = work({}, {});
    ASSERT_TRUE(next.next_at);
    EXPECT_LE(next.next_at->ms, w.now().ms);  // twelve have found no room
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// Every job may run more than once, and out of order: the database is the same afterwards.
#include "jobs/runner.hpp"
#include "social/statuses/scheduled/scheduled.hpp"
#include "support/periodic.hpp"
#include "world.hpp"

namespace {

struct EveryJob : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");

    // A life that leaves a job of every kind of reaction that comes later.
    void live() {
        for (int i = 0; i < 5; ++i) bob.status("old");
        alice.follows(bob, {{"notify", "true"}});
        auto status = bob.status("news for @carol");
        auto gone = bob.status("gone");
        carol.reblogs(gone);
        bob.del("/api/v1/statuses/" + gone);
        carol.follows(bob);
        carol.unfollows(bob);
        bob.status("psst @carol", {{"visibility", "direct"}});
        auto request = carol.get("/api/v1/notifications/requests").ids()[0];
        EXPECT_EQ(carol.post("/api/v1/notifications/requests/" + request + "/accept").status, 200);
    }
    void live_on() {
        auto status = bob.status("older");
        auto poll = bob.post(
            "/api/v1/statuses",
            {{"status", "?"}, {"poll[options][]", "a"}, {"poll[options][]", "b"}, {"poll[expires_in]", "300"}}
        );
        carol.post("/api/v1/polls/" + poll.id() + "/votes", {{"choices[]", "0"}});
        bob.post(
            "/api/v1/statuses",
            {{"status", "later"}, {"scheduled_at", base::to_string(w.now().plus_seconds(301))}}
        );
        w.advance(301);
        support::run_periodic(w, statuses::end_polls);
        support::run_periodic(w, statuses::announce_due);
        carol.reblogs(status);
        bob.put("/api/v1/statuses/" + status, {{"status", "newer"}});
    }
};
ON_EACH_DATABASE(EveryJob);

TEST_P(EveryJob, run_twice_has_the_effect_of_once) {
    live();
    live_on();
    for (;;) {
        auto due = w.write([](db::Write& db) { return jobs::lease_due(db, 1); });
        if (due.empty()) break;
        auto* reaction = w.reactions().by_name(due[0].kind);
        ASSERT_TRUE(reaction) << due[0].kind;
        if (reaction->run) {
            w.write([&](db::Write& db) { reaction->run(db, due[0].payload); });
            auto once = w.dump();
            w.write([&](db::Write& db) { reaction->run(db, due[0].payload); });
            EXPECT_EQ(w.dump(), once) << due[0].kind;
        }
        w.write([&](db::Write& db) { jobs::remove(db, due[0].id); });
    }
    w.run_jobs();
}

TEST_P(EveryJob, run_in_the_opposite_order_leads_to_the_same_home) {
    live();
    auto before = alice.home();
    auto due = w.write([](db::Write& db) { return jobs::lease_due(db, 100); });
    std::ranges::reverse(due);
    for (const auto& job : due) w.write([&](db::Write& db) { jobs::finish(db, w.reactions(), job); });
    w.run_jobs();
    EXPECT_EQ(alice.home(), before);
    EXPECT_TRUE(carol.home().size() <= 1);
}

}  // namespace

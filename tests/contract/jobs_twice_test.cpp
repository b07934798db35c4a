// SPDX-License-Identifier: AGPL-3.0-or-later
// Every job may run more than once, and out of order: the database is the same afterwards.
#include "jobs/runner.hpp"
#include "server/tables.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/restricting.hpp"
#include "social/accounts/users/absence.hpp"
#include "social/instance/domain_block.hpp"
#include "social/notification_mails/notification_mail.hpp"
#include "social/notifications/notification.hpp"
#include "social/notifications/notify.hpp"
#include "social/notifications/notify_domains.hpp"
#include "social/notifications/notify_quotes.hpp"
#include "social/notifications/request.hpp"
#include "social/relationships/forget_account.hpp"
#include "social/relationships/move.hpp"
#include "social/relationships/relationship.hpp"
#include "social/statuses/previews/preview_jobs.hpp"
#include "social/statuses/scheduled/scheduled.hpp"
#include "social/timelines/home.hpp"
#include "social/timelines/idle_homes.hpp"
#include "support/periodic.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

#include <set>

namespace {

// Deferred jobs that nothing here leaves: of other servers, of the team, and of what takes more than a turn. May only shrink.
constexpr const char* untried[] = {
    "act_on_hits",
    "begin_digests",
    "begin_forgetting_severed",
    "collect_cluster",
    "continue_account_severing",
    "continue_acting",
    "continue_backfill",
    "continue_clean_ups",
    "continue_forgetting_list",
    "continue_forgetting_severed",
    "continue_joining",
    "continue_purging_server",
    "continue_resolving",
    "continue_restoring",
    "continue_restoring_server",
    "continue_server_limits",
    "continue_server_severing",
    "continue_severing",
    "continue_undoing",
    "count_past_days",
    "delete_posts",
    "drop_for_unavailable",
    "end_holding",
    "forget_label",
    "make_report",
    "make_room_of_copies",
    "mark_posts",
    "notify_severances",
    "publish_some_posts",
    "purge_more_seen",
    "put_back",
    "refill_from_follow",
    "report_quarantined",
    "take_back_some_posts",
    "want_missing_keys",
};

struct EveryJob : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");

    // A life that leaves jobs of many kinds.
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
    void leave() {
        auto dave = w.local("dave");
        EXPECT_EQ(carol.post("/api/v1/domain_blocks", {{"domain", "elsewhere.example"}}).status, 200);
        w.write([&](db::Write& db) {
            relationships::move(db, number(bob), number(dave));
            accounts::delete_local(db, number(carol));
        });
    }
    // As if some of what went before took more than one turn.
    void go_on() {
        base::StatusId status{std::stoll(bob.status("long"))};
        const auto reader = number(alice), author = number(bob);
        w.write([&](db::Write& db) {
            db.emit(timelines::FanOutContinued{status});
            db.emit(timelines::RemovalContinued{status, author});
            db.emit(timelines::BackfillsLeft{});
            db.emit(timelines::CleanUpContinued{reader, author});
            db.emit(timelines::RefillContinued{reader, {}});
            db.emit(accounts::CameBack{reader});
            db.emit(statuses::ReblogsContinued{status});
            db.emit(statuses::AttributionDue{author});
            db.emit(notifications::ForgetStatusContinued{status});
            db.emit(notifications::ForgetDomainContinued{reader, "elsewhere.example"});
            db.emit(notifications::ClearingContinued{reader});
            db.emit(notifications::RequestDismissed{reader, author, {}});
            db.emit(notifications::QuotersContinued{status, author});
            db.emit(notification_mails::MailsContinued{});
            db.emit(relationships::AcceptPendingContinued{author, {}});
            db.emit(relationships::TiesContinued{number(carol)});
            db.emit(relationships::MoveContinued{author, reader});
            db.emit(accounts::AccountSuspended{author});
            db.emit(instance::ServerLimited{"elsewhere.example"});
        });
    }
    static base::AccountId number(const Person& person) { return {std::stoll(person.id)}; }
};
ON_EACH_DATABASE(EveryJob);

TEST_P(EveryJob, run_twice_has_the_effect_of_once) {
    live();
    live_on();
    go_on();
    leave();
    std::set<std::string_view> tried;
    for (;;) {
        auto due = w.write([](db::Write& db) { return jobs::lease_due(db, 1); });
        if (due.empty()) break;
        auto* reaction = w.reactions().by_name(due[0].kind);
        ASSERT_TRUE(reaction) << due[0].kind;
        if (reaction->run) {
            tried.insert(reaction->name);
            w.write([&](db::Write& db) { reaction->run(db, due[0].payload); });
            auto once = w.dump();
            w.write([&](db::Write& db) { reaction->run(db, due[0].payload); });
            EXPECT_EQ(w.dump(), once) << due[0].kind;
        }
        w.write([&](db::Write& db) { jobs::remove(db, due[0].id); });
    }
    w.run_jobs();
    std::set<std::string_view> left;
    for (const auto& reaction : server::reactions())
        if (reaction.run && !tried.contains(reaction.name)) left.insert(reaction.name);
    EXPECT_THAT(left, testing::ElementsAreArray(untried));
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

// SPDX-License-Identifier: AGPL-3.0-or-later
// What a server must not do once more after it was restored.
#include <gmock/gmock.h>

#include "server/backups.hpp"
#include "server/tables.hpp"
#include "support/database.hpp"
#include "support/migrated.hpp"

#include <algorithm>

namespace {

const db::Query<std::int64_t> test_left{
    "test_left",
    R"(SELECT (SELECT count(*) FROM deliveries) * 1000 + (SELECT count(due_at) FROM notification_mails) * 1000 + (SELECT count(*) FROM jobs) * 100
           + (SELECT count(*) FROM scheduled_statuses) * 10
           + (SELECT count(*) FROM tokens WHERE revoked_at IS NULL))"
};

struct AfterRestore : testing::Test {
    std::int64_t left() {
        return db::read_now(*connection, database.options.context, [](db::Read& db) {
            return db.one(test_left);
        });
    }
    support::TestDatabase database{support::Database::sqlite};
    std::unique_ptr<db::Connection> connection = database.connection();
};

TEST_F(AfterRestore, nothing_is_told_twice) {
    db::migrate(*connection, {1000});
    connection->script(R"(
        INSERT INTO deliveries (activity_id, inbox, host, object, run_at) VALUES (1, 'https://a.example/in', 'a.example', 'o', 5);
        INSERT INTO jobs (id, kind, payload, run_at, created_at)
            VALUES (1, 'mail_welcome', '{}', 1, 1), (2, 'fetch_preview', '{}', 1, 1),
                   (3, 'write_weekly_digest', '{}', 1, 1);
        INSERT INTO scheduled_statuses (id, account_id, scheduled_at, content_type, params, created_at)
            VALUES (1, 1, 1500, 'text/plain', '{}', 1), (2, 1, 2500, 'text/plain', '{}', 1);
        INSERT INTO notification_mails (account_id, since, due_at, leased_until) VALUES (1, 1, 1500, 4000);
        INSERT INTO tokens (id, token_hash, app_id, user_id, scopes, created_at) VALUES (1, 'x', 1, 1, 'read', 1);
    )");
    server::settle_after_restore(*connection, {1000}, {2000}, {3000}, false);
    EXPECT_EQ(left(), 111);  // no delivery, no mail, one job, the post that was not due yet, the token
    server::settle_after_restore(*connection, {1000}, {2000}, {3000}, true);
    EXPECT_EQ(left(), 110);
}

TEST_F(AfterRestore, every_job_that_is_dropped_is_one) {
    const auto known = server::reactions();
    for (auto kind : server::telling_jobs())
        EXPECT_TRUE(std::ranges::any_of(known, [&](const auto& one) { return one.name == kind; })) << kind;
    for (const auto& one : known) {
        const bool job = !one.now;
        const bool tells = one.name.starts_with("mail_") || one.name.starts_with("deliver_");
        if (job && tells) EXPECT_TRUE(std::ranges::count(server::telling_jobs(), one.name)) << one.name;
    }
}

}  // namespace

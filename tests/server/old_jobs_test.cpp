// SPDX-License-Identifier: AGPL-3.0-or-later
// Job rows that an older version left are done by this one: their names and what they hold are migrated.
#include "jobs/runner.hpp"
#include "server/tables.hpp"
#include "support/database.hpp"

namespace {

using Names = std::vector<std::string>;

const db::Command insert_old_job{
    "test_insert_old_job",
    "INSERT INTO jobs (id, kind, payload, run_at, created_at) VALUES ($1, $2, $3, 0, 0)"
};
const db::Query<jobs::JobRow> all_jobs{
    "test_all_jobs", "SELECT id, kind, payload, attempts FROM jobs ORDER BY id"
};

struct OldJobs : support::OnEachDatabase {
    std::unique_ptr<db::Connection> connection = database.connection();
    jobs::Reactions reactions{server::reactions()};

    // As a database was before its words changed, with these rows.
    void leave(const std::vector<std::pair<std::string, std::string>>& rows) {
        auto older = db::embedded_migrations(database.is_postgres());
        std::erase_if(older, [](const db::Migration& m) { return m.name >= "0045"; });
        db::migrate(*connection, {1000}, older);
        db::write_now(*connection, database.options.context, [&](db::Write& db) {
            std::int64_t number = 0;
            for (const auto& [kind, payload] : rows)
                db.run(insert_old_job, base::JobId{++number}, kind, payload);
        });
        db::migrate(*connection, {1000});
    }
    std::vector<jobs::JobRow> found() {
        return db::read_now(*connection, database.options.context, [](db::Read& db) {
            return db.all(all_jobs);
        });
    }
    // Nothing of what they are about exists, so that there is little to do; but all of it is read.
    void run(const jobs::JobRow& job) {
        const auto* reaction = reactions.by_name(job.kind);
        ASSERT_TRUE(reaction) << job.kind;
        if (reaction->run) {
            db::write_now(*connection, database.options.context, [&](db::Write& db) {
                jobs::finish(db, reactions, job);
            });
            return;
        }
        jobs::Change change;
        db::read_now(*connection, database.options.context, [&](db::Read& db) {
            change = reaction->ask({}, db, job.payload);
        });
        db::write_now(*connection, database.options.context, [&](db::Write& db) {
            jobs::finish(db, change, job);
        });
    }
};
ON_EACH_DATABASE(OldJobs);

TEST_P(OldJobs, are_done_under_their_new_names) {
    leave(
        {{"fan_out_rest", R"({"status":"1","after":0})"},
         {"tell_subscribers_left", R"({"status":"1","author":"2","after":0})"},
         {"look_at_stamp", R"({"quoting":"1"})"},
         {"look_at_new_stamp", R"({"quoting":"1","stamp":"https://far.example/1"})"},
         {"forget_status_left", R"({"status":"1"})"},
         {"tell_rebloggers_left",
          R"({"status":"1","author":"2","after":"0","edited_at":"2026-01-01T00:00:00.000Z"})"},
         {"tell_quoters_left", R"({"status":"1","author":"2","after":0})"},
         {"tell_voters_left", R"({"poll":"1","author":"2","after":"0"})"},
         {"clear_notifications_left", R"({"account":"1"})"},
         {"let_in_accepted", R"({"account":"1","from":"2"})"},
         {"remove_held", R"({"account":"1","from":"2","up_to":3})"},
         {"index_account_left", R"({"account":"1","below":"2"})"},
         {"tell_severances", R"({"domain":"far.example","next":"1"})"},
         {"forget_domain_left", R"({"account":"1","domain":"far.example"})"},
         {"begin_letters", R"({"account":"1","after":"0"})"},
         {"mail_letter", R"({"id":"1"})"},
         {"tell_servers_gone", R"({"account":"1"})"},
         {"tell_servers_moved", R"({"account":"1","target":"2"})"},
         {"ask_leave_to_quote", R"({"status":"1"})"},
         {"tell_servers_quote_revoked", R"({"status":"1","quoted":"2","account":"3","author":"4"})"},
         {"tell_servers_feature_revoked", R"({"collection":"1","owner":"2","account":"3","item":"4"})"},
         {"write_told", R"({"deed":"update","status":"1","activity":"2"})"},
         {"spread",
          R"({"activity":"2","unless_deleted":"0","steps":[{"source":"followers","of":1,"after":0}],"except":"","ended":"0"})"
         }}
    );
    auto rows = found();
    ASSERT_EQ(rows.size(), 23u);
    for (const auto& job : rows) {
        EXPECT_TRUE(reactions.by_name(job.kind)) << job.kind;
        EXPECT_NO_THROW(run(job)) << job.kind;
    }
    for (const auto& job : found()) EXPECT_GT(job.id.value, 23) << job.kind;
}

TEST_P(OldJobs, keep_what_they_held) {
    leave({
        {"write_told", R"({"deed":"update","status":"1","activity":"2"})"},
        {"spread", R"({"activity":"2","unless_deleted":"0","steps":[],"except":"","ended":"0"})"},
        {"look_at_new_stamp", R"({"quoting":"1","stamp":"https://far.example/1"})"},
    });
    auto rows = found();
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].payload, R"({"kind":"update","status":"1","activity":"2"})");
    EXPECT_EQ(
        rows[1].payload, R"({"activity":"2","unless_deleted":"0","groups":[],"except":"","ended":"0"})"
    );
    EXPECT_EQ(rows[2].payload, R"({"quoting":"1","authorization_uri":"https://far.example/1"})");
}

}  // namespace

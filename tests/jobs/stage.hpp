// SPDX-License-Identifier: AGPL-3.0-or-later
// A database with jobs: what they note is the text of rules, in its order.
#pragma once
#include "jobs/reactions.hpp"
#include "jobs/runner.hpp"
#include "support/database.hpp"

#include <chrono>
#include <thread>

namespace job_stage {

inline const db::Command test_jobs_note{"test_jobs_note", "INSERT INTO rules (id, text) VALUES ($1, $2)"};
inline const db::Query<std::string> test_jobs_notes{"test_jobs_notes", "SELECT text FROM rules ORDER BY id"};
struct Row {
    std::string kind;
    std::int64_t run_at = 0, attempts = 0, leased_until = 0;
    std::optional<std::string> error;
};
DESCRIBE(Row, kind, run_at, attempts, leased_until, error)
inline const db::Query<Row> test_jobs_rows{
    "test_jobs_rows", "SELECT kind, run_at, attempts, leased_until, error FROM jobs ORDER BY id"
};

inline void note(db::Write& db, const std::string& text) {
    db.run(test_jobs_note, db.new_id<base::JobId>(), text);
}

struct Stage : support::OnEachMigratedDatabase {
    jobs::Reactions reactions;
    std::unique_ptr<db::Connection> connection;
    base::ExternalServices services;

    explicit Stage(std::vector<jobs::Reaction> table) : reactions(std::move(table)) {
        database.options.context.events = &reactions;
        connection = database.connection();
        db::migrate(*connection, {1000});
    }
    template <class F>
    auto write(F&& f) {
        return db::write_now(*connection, database.options.context, std::forward<F>(f));
    }
    std::vector<jobs::JobRow> lease() {
        return write([](db::Write& db) { return jobs::lease_due(db, 16); });
    }
    // The job of this kind, leased with all others.
    jobs::JobRow leased(std::string_view kind) {
        for (auto& job : lease())
            if (job.kind == kind) return job;
        ADD_FAILURE() << "no job " << kind;
        return {};
    }
    std::vector<std::string> notes() {
        return db::read_now(*connection, database.options.context, [](db::Read& db) {
            return db.all(test_jobs_notes);
        });
    }
    std::vector<Row> rows() {
        return db::read_now(*connection, database.options.context, [](db::Read& db) {
            return db.all(test_jobs_rows);
        });
    }
    template <class Done>
    static bool eventually(Done&& done) {
        for (int i = 0; i < 6000 && !done(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return done();
    }
};

}  // namespace job_stage

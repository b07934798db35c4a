// SPDX-License-Identifier: AGPL-3.0-or-later
#include "jobs/listing.hpp"

namespace jobs {

namespace {

// No retry is ever delayed by a year, so a job that is due later than that was given up.
base::Time in_a_year(db::Read& db) { return db.now().plus_seconds(366 * 86'400); }

}  // namespace

const db::Query<KindOfJob> kinds_of_jobs{
    "kinds_of_jobs",
    R"(SELECT kind,
              CAST(SUM(CASE WHEN run_at < $1 THEN 1 ELSE 0 END) AS BIGINT) AS waiting,
              CAST(SUM(CASE WHEN run_at < $1 AND attempts > 0 THEN 1 ELSE 0 END) AS BIGINT) AS failing,
              CAST(SUM(CASE WHEN run_at < $1 THEN 0 ELSE 1 END) AS BIGINT) AS given_up,
              MIN(created_at) AS oldest
       FROM jobs GROUP BY kind ORDER BY kind)"
};

std::vector<KindOfJob> kinds(db::Read& db) { return db.all(kinds_of_jobs, in_a_year(db)); }

const db::Query<FailedJob> given_up_jobs{
    "given_up_jobs",
    "SELECT id, kind, attempts, created_at, error FROM jobs WHERE run_at >= $1 ORDER BY run_at, id LIMIT 100"
};

std::vector<FailedJob> given_up(db::Read& db) { return db.all(given_up_jobs, in_a_year(db)); }

const db::Command try_job_again{
    "try_job_again", "UPDATE jobs SET run_at = $2, attempts = 0, leased_until = 0 WHERE id = $1"
};

bool try_again(db::Write& db, base::JobId id) { return db.run(try_job_again, id, db.now()) != 0; }

std::int64_t try_all_again(db::Write& db) {
    std::int64_t done = 0;
    for (const auto& job : given_up(db)) done += try_again(db, job.id) ? 1 : 0;
    return done;
}

const db::Command drop_job{"drop_job", "DELETE FROM jobs WHERE id = $1"};

bool drop(db::Write& db, base::JobId id) { return db.run(drop_job, id) != 0; }

}  // namespace jobs

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/monitoring/metrics.hpp"

#include "social/push/queue.hpp"

#include <algorithm>

namespace server {

namespace {

// The table belongs to jobs.
struct JobCounts {
    std::int64_t waiting = 0, given_up = 0;
};
DESCRIBE(JobCounts, waiting, given_up)

const db::Query<JobCounts> count_jobs{
    "count_jobs",
    R"(SELECT COUNT(*) - COALESCE(SUM(CASE WHEN run_at > $1 THEN 1 ELSE 0 END), 0) AS waiting,
              COALESCE(SUM(CASE WHEN run_at > $1 THEN 1 ELSE 0 END), 0) AS given_up FROM jobs)"
};

const db::Query<std::int64_t> database_size{
    "database_size",
    "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()",
    "SELECT pg_database_size(current_database()) AS bytes"
};

struct OldestDue {
    std::optional<base::Time> job, item, item_asking;
};
DESCRIBE(OldestDue, job, item, item_asking)

const db::Query<OldestDue> oldest_due{
    "oldest_due",
    R"(SELECT (SELECT run_at FROM jobs WHERE run_at < $1 ORDER BY run_at LIMIT 1) AS job,
              (SELECT run_at FROM inbox_items WHERE asking = FALSE AND run_at < $1 ORDER BY run_at LIMIT 1) AS item,
              (SELECT run_at FROM inbox_items WHERE asking = TRUE AND run_at < $1 ORDER BY run_at LIMIT 1) AS item_asking)"
};

double seconds_since(base::Time now, std::optional<base::Time> due) {
    return due ? static_cast<double>(now.ms - due->ms) / 1000 : 0;
}

}  // namespace

Lateness lateness(db::Read& db) {
    const auto oldest = db.one(oldest_due, db.now());
    return {
        seconds_since(db.now(), oldest.job),
        std::max(seconds_since(db.now(), oldest.item), seconds_since(db.now(), oldest.item_asking))
    };
}

Sample::Stored stored_figures(db::Read& db) {
    // No retry is ever delayed by a year, so a job that is due later than that was given up.
    auto jobs = db.one(count_jobs, db.now().plus_seconds(366 * 86'400));
    const auto late = lateness(db);
    return {
        jobs.waiting,
        jobs.given_up,
        db.one(database_size),
        federation::queue_figures(db),
        push::waiting(db),
        late.jobs,
        late.inbox,
        {}
    };
}

}  // namespace server

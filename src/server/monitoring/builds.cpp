// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/monitoring/builds.hpp"

#include "base/json_read.hpp"

#include <algorithm>
#include <cmath>

namespace server {

namespace {

enum class Over { statuses, accounts };

struct Kind {
    std::string_view job, what;
    Over over;
};
constexpr Kind kinds[] = {
    {"index_older", "the search index of posts", Over::statuses},
    {"index_older_accounts", "the search index of people", Over::accounts},
    {"recount", "counts of answers and quotes", Over::statuses},
};
constexpr std::string_view queue_name = "index_queue";
// Fewer rows than these are indexed within seconds.
constexpr std::int64_t many_in_queue = 10'000;

struct Row {
    std::string kind, payload;
    std::int64_t attempts = 0;
    std::optional<std::string> error;
    base::Time run_at;
};
DESCRIBE(Row, kind, payload, attempts, error, run_at)

// The table belongs to jobs. The kinds must be those of the index jobs_that_build, so that only these rows
// are read.
const db::Query<Row> build_jobs{
    "build_jobs",
    R"(SELECT kind, payload, attempts, error, run_at FROM jobs
       WHERE kind IN ('index_older', 'index_older_accounts', 'recount') ORDER BY id LIMIT 20)"
};

struct Ends {
    std::int64_t first = 0, last = 0;
};
DESCRIBE(Ends, first, last)
const db::Query<Ends> ends_of_statuses{
    "ends_of_statuses",
    R"(SELECT COALESCE((SELECT id FROM statuses ORDER BY id LIMIT 1), 0) AS first,
              COALESCE((SELECT id FROM statuses ORDER BY id DESC LIMIT 1), 0) AS last)"
};
const db::Query<Ends> ends_of_accounts{
    "ends_of_accounts",
    R"(SELECT COALESCE((SELECT id FROM accounts ORDER BY id LIMIT 1), 0) AS first,
              COALESCE((SELECT id FROM accounts ORDER BY id DESC LIMIT 1), 0) AS last)"
};

// The queue belongs to discovery and is processed from newest to oldest.
struct Queue {
    std::int64_t some = 0, newest = 0;
};
DESCRIBE(Queue, some, newest)
const db::Query<Queue> index_queue{
    "index_queue",
    R"(SELECT (SELECT count(*) FROM (SELECT status_id FROM status_index_queue ORDER BY status_id LIMIT $1) q) AS some,
              COALESCE((SELECT status_id FROM status_index_queue ORDER BY status_id DESC LIMIT 1), 0) AS newest)"
};

Ends ends(db::Read& db, Over over) {
    return db.one(over == Over::statuses ? ends_of_statuses : ends_of_accounts);
}

// The payload of a chunked job: where it continues, downwards or upwards.
struct Place {
    std::optional<std::string> below, after;
};
DESCRIBE(Place, below, after)

double share(std::int64_t part, std::int64_t whole) {
    if (whole <= 0) return 0;
    return std::clamp(static_cast<double>(part) / static_cast<double>(whole), 0.0, 1.0);
}

double done_of(const std::string& payload, const Ends& ends) {
    const auto place = base::json::read<Place>(payload);
    if (place.below) {
        const std::int64_t below = std::stoll(*place.below);
        return share(ends.last - std::min(ends.last, below), ends.last - ends.first);
    }
    return place.after ? share(std::stoll(*place.after) - ends.first, ends.last - ends.first) : 0;
}

}  // namespace

std::vector<Build> builds(db::Read& db) {
    // No retry is ever delayed by a year, so a job that is due later than that was given up.
    const auto in_a_year = db.now().plus_seconds(366 * 86'400);
    std::vector<Build> all;
    for (auto& row : db.all(build_jobs)) {
        const auto& kind = *std::ranges::find(kinds, row.kind, &Kind::job);
        all.push_back(
            {row.kind,
             std::string(kind.what),
             done_of(row.payload, ends(db, kind.over)),
             row.attempts,
             std::move(row.error),
             row.run_at >= in_a_year}
        );
    }
    const auto queue = db.one(index_queue, many_in_queue);
    if (queue.some < many_in_queue) return all;
    const auto whole = ends(db, Over::statuses);
    all.push_back(
        {std::string(queue_name),
         "texts of posts in the search index",
         share(whole.last - queue.newest, whole.last - whole.first)}
    );
    return all;
}

std::string shown(const Build& build) {
    const auto percent = std::to_string(static_cast<int>(std::floor(build.done * 100)));
    auto line = build.what + ": about " + percent + " % done";
    if (build.given_up) line += "; given up, dunlin jobs list says why";
    else if (build.error) line += "; the last chunk failed and is tried again (" + *build.error + ")";
    return line;
}

}  // namespace server

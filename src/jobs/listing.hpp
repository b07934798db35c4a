// SPDX-License-Identifier: AGPL-3.0-or-later
// Job rows, as shown to an operator.
#pragma once
#include "db/session.hpp"

namespace jobs {

struct KindOfJob {
    std::string kind;
    std::int64_t waiting = 0;   // for their turn, or for their next attempt
    std::int64_t failing = 0;   // those that have failed before
    std::int64_t given_up = 0;  // not tried any more
    base::Time oldest;
};
DESCRIBE(KindOfJob, kind, waiting, failing, given_up, oldest)
std::vector<KindOfJob> kinds(db::Read&);

struct FailedJob {
    base::JobId id;
    std::string kind;
    std::int64_t attempts = 0;
    base::Time created_at;
    std::optional<std::string> error;
};
DESCRIBE(FailedJob, id, kind, attempts, created_at, error)
// At most a hundred.
std::vector<FailedJob> given_up(db::Read&);

// Makes it due now, as if it had never failed; false when there is no such row.
bool try_again(db::Write&, base::JobId);
// The same for at most a hundred that were given up; returns how many.
std::int64_t try_all_again(db::Write&);
// Discards it. False when there is no such row.
bool drop(db::Write&, base::JobId);

}  // namespace jobs

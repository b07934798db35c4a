// SPDX-License-Identifier: AGPL-3.0-or-later
// Job rows as an operator looks at them.
#pragma once
#include "db/session.hpp"

namespace jobs {

struct KindOfJob {
    std::string kind;
    std::int64_t waiting = 0;   // for their turn, or for their next try
    std::int64_t failing = 0;   // of these, have failed before
    std::int64_t given_up = 0;  // are not tried any more
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
// Those that were given up, at most a hundred.
std::vector<FailedJob> given_up(db::Read&);

// Due now, as if it had never failed; false when there is no such row.
bool try_again(db::Write&, base::JobId);
// The same of those that were given up, at most a hundred; how many.
std::int64_t try_all_again(db::Write&);
// It is never run. False when there is no such row.
bool drop(db::Write&, base::JobId);

}  // namespace jobs

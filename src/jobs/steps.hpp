// SPDX-License-Identifier: AGPL-3.0-or-later
// A jobs::Change of several turns of the writer, for `computed` reactions: what a reader found at once is done in step after
// step. The runner makes each a change of its own, after which the row of the job says what is left; nobody leases it in
// between. Called as any other change it takes one step, and what is left is a job of its own.
#pragma once
#include "base/json.hpp"
#include "db/session.hpp"

#include <functional>
#include <optional>
#include <string>

namespace jobs {

struct JobRow;

class Stepwise {
public:
    // `step` answers what is left of the event; nothing at the end. It may keep how far it came: each step is taken on a copy
    // of the last, as a change may run again.
    template <class E>
    explicit Stepwise(std::function<std::optional<E>(db::Write&)> step)
        : step_([step = std::move(step)](db::Write& db, bool emits) mutable -> std::optional<std::string> {
              const std::optional<E> left = step(db);
              if (!left) return std::nullopt;
              if (emits) db.emit(*left);
              return base::json::to_string(*left);
          }) {}

    // The payload of what is left.
    std::optional<std::string> take(db::Write& db) { return step_(db, false); }
    void operator()(db::Write& db) const {
        auto next = step_;
        next(db, true);
    }

private:
    std::function<std::optional<std::string>(db::Write&, bool emits)> step_;
};

// The next step of a leased job, whose row is kept and says what is left; false: there is no more of it, or another process
// has taken it since its lease ran out.
bool go_on(db::Write&, Stepwise&, JobRow&);

}  // namespace jobs

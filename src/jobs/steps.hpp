// SPDX-License-Identifier: AGPL-3.0-or-later
// A jobs::Change of several turns of the writer, for `computed` reactions: what a reader found at once is done in step after
// step. The runner makes each a change of its own, after which the row of the job says what is left; nobody leases it in
// between. What comes after the last step may be found out while these are taken; the row goes on with it. Called as any other change
// it takes one step, and what is left is a job of its own.
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
    // of the last, as a change may run again. `next`: the event that is looked at when nothing is left of this one. What is
    // found there before these steps are taken may be done by them already: doing it again must change nothing.
    template <class E>
    explicit Stepwise(std::function<std::optional<E>(db::Write&)> step, const std::optional<E>& next = {})
        : step_([step = std::move(step)](db::Write& db, bool emits) mutable -> std::optional<std::string> {
              const std::optional<E> left = step(db);
              if (!left) return std::nullopt;
              if (emits) db.emit(*left);
              return base::json::to_string(*left);
          }) {
        if (!next) return;
        next_ = base::json::to_string(*next);
        emit_next_ = [next = *next](db::Write& db) { db.emit(next); };
    }

    // The payload of what is left, or of what comes after that.
    std::optional<std::string> take(db::Write& db) {
        auto left = step_(db, false);
        over_ = !left;
        return left ? left : next_;
    }
    bool over() const { return over_; }  // the last step was taken
    const std::optional<std::string>& next() const { return next_; }
    void operator()(db::Write& db) const {
        auto step = step_;
        if (!step(db, true) && emit_next_) emit_next_(db);
    }

private:
    std::function<std::optional<std::string>(db::Write&, bool emits)> step_;
    std::optional<std::string> next_;
    std::function<void(db::Write&)> emit_next_;
    bool over_ = false;
};

// The next step of a leased job, whose row is kept and says what is left; false: there is no more of it, or another process
// has taken it since its lease ran out.
bool go_on(db::Write&, Stepwise&, JobRow&);

}  // namespace jobs

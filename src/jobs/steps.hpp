// SPDX-License-Identifier: AGPL-3.0-or-later
// A jobs::Change that spans several turns of the writer, for `computed` reactions: what a reader found at
// once is applied step by step. The runner runs each step as a separate change and updates the job row to
// what is left; the row stays leased in between. What comes after the last step may be computed while the
// steps run. Called like an ordinary change, it runs one step and emits the rest as a new job.
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
    // `step` returns what is left of the event, nullopt at the end. It may be stateful: each step runs on a
    // copy of the last one, because a change may run again. `next`: the event to process when nothing is left
    // of this one. It may be computed before these steps have run, and so include work they do: repeating
    // that must change nothing.
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

    // Runs a step. Returns the payload of what is left, or of what follows.
    std::optional<std::string> take(db::Write& db) {
        auto left = step_(db, false);
        over_ = !left;
        return left ? left : next_;
    }
    bool over() const { return over_; }  // the last step has run
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

// Runs the next step of a leased job and stores what is left in its row. False: there is no more, or another
// process took it after its lease expired.
bool go_on(db::Write&, Stepwise&, JobRow&);

}  // namespace jobs

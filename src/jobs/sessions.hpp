// SPDX-License-Identifier: AGPL-3.0-or-later
// Database access and external services for a thread that may block: runs functions that ask, and holds no
// session while external services are asked. Code that must not block (a request) does the same step by step
// in http/request_pipeline.cpp.
#pragma once
#include "base/ask.hpp"
#include "base/errors.hpp"
#include "db/engine.hpp"

#include <functional>
#include <optional>

namespace jobs {

struct Sessions {
    std::function<void(const std::function<void(db::Read&)>&)> look;
    std::function<void(const char* name, const std::function<void(db::Write&)>&)> change;
    std::function<std::any(const base::Needs&)> answer;

    // Runs f(const base::Ask&, db::Read&), again after every answer. Throws Unavailable after too many
    // rounds.
    template <class F>
    auto ask(F&& f, int rounds = 12) const {
        using Result = std::invoke_result_t<F, const base::Ask&, db::Read&>;
        base::Ask answers;
        for (;; --rounds) {
            std::optional<base::Needs> needs;
            std::optional<Result> result;
            look([&](db::Read& db) {
                try {
                    result.emplace(f(answers, db));
                } catch (base::Needs& asked) {
                    needs = std::move(asked);
                }
            });
            if (!needs) return *std::move(result);
            if (rounds == 0) throw base::Unavailable();
            answers.answer(*needs, answer(*needs));
        }
    }
};

// For threads that may wait for the engine. Both arguments must outlive the result.
Sessions sessions(db::Engine&, const base::ExternalServices&);

}  // namespace jobs

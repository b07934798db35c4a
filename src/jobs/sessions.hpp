// SPDX-License-Identifier: AGPL-3.0-or-later
// The database and the answers of the outside for a thread that may wait: it runs functions that ask, with no session open
// while anybody is asked. What may not wait (a request) does the same step by step in http/request_pipeline.cpp.
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

    // f(const base::Ask&, db::Read&), run again with every answer. Throws Unavailable after so many rounds.
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

// For threads that may wait for the engine. Both must outlive what is returned.
Sessions sessions(db::Engine&, const base::ExternalServices&);

}  // namespace jobs

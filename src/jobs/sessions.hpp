// SPDX-License-Identifier: AGPL-3.0-or-later
// For those who answer slow questions by working with the database themselves: a thread that may wait runs functions
// that ask, with no session open while anybody is asked.
#pragma once
#include "base/ask.hpp"
#include "base/errors.hpp"
#include "db/session.hpp"

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

}  // namespace jobs

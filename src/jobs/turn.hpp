// SPDX-License-Identifier: AGPL-3.0-or-later
// How long a resumable change may occupy the writer: limits chunks by time, not by rows, because rows cost
// more on a slow machine.
//
//     const jobs::Turn turn;
//     for (const auto& row : rows) {
//         change(db, row);
//         if (turn.over()) return db.emit(Continued{row.id});
//     }
//
// Where one step may take a whole turn, end_step() says whether another one as long as the longest still
// fits.
#pragma once
#include <algorithm>
#include <chrono>

namespace jobs {

class Turn {
public:
    using Clock = std::chrono::steady_clock::time_point (*)();

    // Use a longer turn where each change rewrites the same pages, so that a few large changes write less
    // than many small ones.
    explicit Turn(
        std::chrono::milliseconds length = std::chrono::milliseconds(8),
        Clock clock = std::chrono::steady_clock::now
    )
        : length_(length), clock_(clock) {}
    // Call after each small step (a few milliseconds at most).
    bool over() const { return clock_() - begun_ >= length_; }
    // Call after each step: whether the turn is over, or would be after another step as long as the longest.
    bool end_step() {
        const auto now = clock_();
        longest_ = std::max(longest_, now - step_begun_);
        step_begun_ = now;
        return now - begun_ + longest_ >= length_;
    }

private:
    std::chrono::milliseconds length_;
    Clock clock_;
    std::chrono::steady_clock::time_point begun_ = clock_(), step_begun_ = begun_;
    std::chrono::steady_clock::duration longest_{};
};

}  // namespace jobs

// SPDX-License-Identifier: AGPL-3.0-or-later
// How long a change that could go on may hold the writer: chunks by time, not by rows, as rows cost more on a slow machine.
//
//     const jobs::Turn turn;
//     for (const auto& row : rows) {
//         change(db, row);
//         if (turn.over()) return db.emit(Continued{row.id});
//     }
//
// Where one step may take as long as a whole turn, end_step() tells whether another one like the longest still fits.
#pragma once
#include <algorithm>
#include <chrono>

namespace jobs {

class Turn {
public:
    using Clock = std::chrono::steady_clock::time_point (*)();

    // Longer where each change writes the same pages again, so that few large ones write less than many small ones.
    explicit Turn(
        std::chrono::milliseconds length = std::chrono::milliseconds(8),
        Clock clock = std::chrono::steady_clock::now
    )
        : length_(length), clock_(clock) {}
    // To be asked after each small step, of some milliseconds at most.
    bool over() const { return clock_() - begun_ >= length_; }
    // After each step: whether the turn is over, or would be with one more that takes as long as the longest so far.
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

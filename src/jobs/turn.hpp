// SPDX-License-Identifier: AGPL-3.0-or-later
// How long a change that could go on may hold the writer: chunks by time, not by rows, as rows cost more on a slow machine.
//
//     const jobs::Turn turn;
//     for (const auto& row : rows) {
//         change(db, row);
//         if (turn.over()) return db.emit(Continued{row.id});
//     }
#pragma once
#include <chrono>

namespace jobs {

class Turn {
public:
    // Longer where each change writes the same pages again, so that few large ones write less than many small ones.
    explicit Turn(std::chrono::milliseconds length = std::chrono::milliseconds(8)) : length_(length) {}
    // To be asked after each small step, of some milliseconds at most.
    bool over() const { return std::chrono::steady_clock::now() - begun_ >= length_; }

private:
    std::chrono::milliseconds length_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace jobs

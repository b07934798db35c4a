// SPDX-License-Identifier: AGPL-3.0-or-later
// Who else wants the processor and the disk: people who wait for answers come first.
#pragma once
#include <chrono>
#include <filesystem>

namespace backup {

void be_nice();  // the thread that calls it takes of processor and disk what nobody else wants

enum class Rests { short_ones, long_ones };

// Between two steps of long work beside a SQLite database, while nothing waits for its end: rests make it several times as long.
class Neighbours {
public:
    explicit Neighbours(const std::filesystem::path& database);
    // Or did so lately, in whatever process. Who wrote a moment ago is likely to write again.
    bool somebody_writes(std::chrono::milliseconds lately = std::chrono::milliseconds(250)) const;
    // How long to leave the disk to others: nothing, unless somebody writes.
    std::chrono::milliseconds pause(Rests);

private:
    const std::filesystem::path log_;
    std::chrono::steady_clock::time_point begun_;
};

}  // namespace backup

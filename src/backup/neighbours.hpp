// SPDX-License-Identifier: AGPL-3.0-or-later
// Makes room for others who need processor and disk: requests that people wait for come first.
#pragma once
#include <chrono>
#include <filesystem>

namespace backup {

void be_nice();  // lowers the calling thread's CPU and disk priority to idle use

enum class Rests { short_ones, long_ones };

// Pauses for long background work beside a SQLite database, when nothing waits for its end: they make it take
// several times as long.
class Neighbours {
public:
    explicit Neighbours(const std::filesystem::path& database);
    // Whether any process writes, or did so recently: a recent writer is likely to write again.
    bool somebody_writes(std::chrono::milliseconds lately = std::chrono::milliseconds(250)) const;
    // How long to leave the disk to others; 0 if nobody writes.
    std::chrono::milliseconds pause(Rests);

private:
    const std::filesystem::path log_;
    std::chrono::steady_clock::time_point begun_;
};

}  // namespace backup

// SPDX-License-Identifier: AGPL-3.0-or-later
// Durations, sizes and numbers formatted for operators.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

namespace base::text {

// "90 seconds", "2 minutes", "3 hours", "5 days": in the largest unit that gives at least two.
inline std::string span(std::int64_t seconds) {
    if (seconds < 120) return std::to_string(seconds) + (seconds == 1 ? " second" : " seconds");
    if (seconds < 7200) return std::to_string(seconds / 60) + " minutes";
    if (seconds < 172'800) return std::to_string(seconds / 3600) + " hours";
    return std::to_string(seconds / 86'400) + " days";
}

// "512 KB", "812 MB", "14 GB".
inline std::string shown_bytes(std::uint64_t bytes) {
    constexpr std::uint64_t kilo = 1 << 10, mega = kilo << 10, giga = mega << 10;
    if (bytes < mega) return std::to_string(bytes / kilo) + " KB";
    if (bytes < 10'000 * mega) return std::to_string(bytes / mega) + " MB";
    return std::to_string(bytes / giga) + " GB";
}

// With one decimal below ten: "0.3", "7", "1234".
inline std::string figure(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 10 && value != std::floor(value) ? "%.1f" : "%.0f", value);
    return text;
}
inline std::string figure(std::int64_t value) { return std::to_string(value); }

// "1 fault", "2 faults".
inline std::string counted(std::int64_t number, const std::string& what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

}  // namespace base::text

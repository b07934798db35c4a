// SPDX-License-Identifier: AGPL-3.0-or-later
// How long something takes or has taken, for operators.
#pragma once
#include <cstdint>
#include <string>

namespace base::text {

// "90 seconds", "2 minutes", "3 hours", "5 days": the largest unit of which there are at least two.
inline std::string span(std::int64_t seconds) {
    if (seconds < 120) return std::to_string(seconds) + (seconds == 1 ? " second" : " seconds");
    if (seconds < 7200) return std::to_string(seconds / 60) + " minutes";
    if (seconds < 172'800) return std::to_string(seconds / 3600) + " hours";
    return std::to_string(seconds / 86'400) + " days";
}

}  // namespace base::text

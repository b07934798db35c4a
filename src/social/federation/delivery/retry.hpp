// SPDX-License-Identifier: AGPL-3.0-or-later
// What the response to a delivery means, and when a failed one is retried: pure functions.
#pragma once
#include "base/fetch.hpp"

#include <optional>

namespace federation {

enum class Verdict {
    delivered,
    refused,  // permanently; the host works
    failed,   // to be retried
    unready,  // not started, as the signing key is not generated yet: no failure, retried soon
};

constexpr Verdict verdict(base::FetchFailure failure, int status) {
    using enum base::FetchFailure;
    if (failure == bad_url || failure == forbidden_address) return Verdict::refused;
    if (failure != none) return Verdict::failed;
    if (status >= 200 && status < 300) return Verdict::delivered;
    bool later = status == 401 || status == 408 || status == 429;
    if (status == 501 || (status >= 400 && status < 500 && !later)) return Verdict::refused;
    return Verdict::failed;
}

// Intervals that tests shorten.
struct Pace {
    std::int64_t retry_ms =
        15'000;  // the shortest delay between two tries; all others are proportional to it
    std::int64_t failure_day_ms = 86'400'000;  // failures within this interval count as one
};

constexpr std::int64_t most_retries = 16, most_low_retries = 8;
constexpr std::int64_t breaking_failures = 10;  // in a row; the host then gets a pause
constexpr std::int64_t unavailable_days = 7;
constexpr std::int64_t longest_retry_after_seconds = 86'400;  // of a Retry-After

// Milliseconds to wait after the n-th failure (n from 1), or nothing when it is given up. Both random numbers
// are in [0, 1): deliveries that failed together should not be retried together.
constexpr std::optional<std::int64_t> retry_delay(
    std::int64_t failures, bool low, double first, double second, const Pace& pace
) {
    if (failures < 1 || failures > (low ? most_low_retries : most_retries)) return std::nullopt;
    auto n = static_cast<double>(failures - 1);
    auto steep = n * n * n * n;
    auto seconds = steep + 15 + steep / 2 * first + 10 * second * (n + 1);
    return static_cast<std::int64_t>(seconds * static_cast<double>(pace.retry_ms) / 15);
}

constexpr std::int64_t pause_ms(const Pace& pace) { return 4 * pace.retry_ms; }

}  // namespace federation

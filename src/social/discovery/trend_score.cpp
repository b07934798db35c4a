// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/trend_score.hpp"

#include <algorithm>
#include <cmath>

namespace discovery {

double surprise(double observed, double expected) {
    expected = std::max(expected, 1.0);
    if (observed < fewest_accounts || expected > observed) return 0;
    return (observed - expected) * (observed - expected) / expected;
}

Peak higher(const Peak& before, double score, base::Time now) {
    constexpr std::int64_t two_days = 2 * 86'400;
    if (score > before.score || before.at < now.plus_seconds(-two_days)) return {score, now};
    return before;
}

double faded(double score, base::Time since, base::Time now, double half_life_hours) {
    auto hours = static_cast<double>(std::max<std::int64_t>(now.ms - since.ms, 0)) / 3'600'000;
    return score * std::pow(0.5, hours / half_life_hours);
}

}  // namespace discovery

// SPDX-License-Identifier: AGPL-3.0-or-later
// Scores of trends (behaviours 11.18): how far today's number of accounts exceeds the expected one, decaying
// from the peak. Pure functions.
#pragma once
#include "base/time.hpp"

namespace discovery {

constexpr double fewest_accounts = 5;

struct Peak {
    double score = 0;
    base::Time at{};
};

// 0 below five accounts, or if there are no more than expected.
double surprise(double observed, double expected);

// The peak after a new score: the higher one, or the new one if the old one is two days old.
Peak higher(const Peak& before, double score, base::Time now);

double faded(double score, base::Time since, base::Time now, double half_life_hours);

}  // namespace discovery

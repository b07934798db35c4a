// SPDX-License-Identifier: AGPL-3.0-or-later
// How trends are scored (behaviours 11.18): by how far the accounts of today exceed what was to be expected, fading from
// the highest value reached. Pure functions.
#pragma once
#include "base/time.hpp"

namespace discovery {

constexpr double fewest_accounts = 5;

struct Peak {
    double score = 0;
    base::Time at{};
};

// 0 below five accounts, or when no more came than expected.
double surprise(double observed, double expected);

// The peak after a new score: the higher one, or the new one when the old is two days old.
Peak higher(const Peak& before, double score, base::Time now);

double faded(double score, base::Time since, base::Time now, double half_life_hours);

}  // namespace discovery

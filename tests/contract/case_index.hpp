// SPDX-License-Identifier: AGPL-3.0-or-later
// Which test holds which line of the tables of cases.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace contract {

struct Tested {
    std::string_view case_;  // "A5"; or the first line of reference-cases.tsv and the last: "109-111"
    std::string_view test;   // "Suite.name"
};

extern const std::vector<Tested> admin_cases, reference_cases;

}  // namespace contract

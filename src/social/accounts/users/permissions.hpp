// SPDX-License-Identifier: AGPL-3.0-or-later
// What a role allows, in bits (the API's Role.permissions).
#pragma once
#include <cstdint>

namespace accounts {

constexpr std::int64_t administrator = 1 << 0;
constexpr std::int64_t all_permissions = (1 << 23) - 1;

// Everybody has what the role "everyone" allows, and an administrator has all.
constexpr std::int64_t effective_permissions(std::int64_t of_role, std::int64_t of_everyone) {
    auto bits = of_role | of_everyone;
    return bits & administrator ? all_permissions : bits;
}

}  // namespace accounts

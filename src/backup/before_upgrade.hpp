// SPDX-License-Identifier: AGPL-3.0-or-later
// A copy of the database as it was before it was upgraded, so that whoever has to go back to the version before can. Where the
// file system shares blocks it costs nothing; otherwise only a small one is copied, since nobody is served meanwhile.
#pragma once
#include "base/time.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace backup {

struct BeforeUpgrade {
    std::filesystem::path copy;  // empty: there is none
    std::string why_not;         // a sentence
};

constexpr std::uint64_t most_bytes_copied = 64 << 20;

// Into before-NNNN.db beside it, NNNN the number of the migration that comes first. This process must not have the database
// open, as the copy's descriptors give up its locks. `reserve`: so many bytes stay free.
BeforeUpgrade keep_before_upgrade(
    const std::filesystem::path& database, const std::string& first_migration, std::uint64_t reserve
);

// Removes those that are older than seven days.
void forget_old_upgrades(const std::filesystem::path& folder, base::Time now);

// The last one; empty: there is none.
std::filesystem::path last_before_upgrade(const std::filesystem::path& folder);

}  // namespace backup

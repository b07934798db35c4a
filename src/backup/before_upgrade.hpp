// SPDX-License-Identifier: AGPL-3.0-or-later
// A copy of the database from before an upgrade, for going back to the previous version. It costs nothing on
// file systems that share blocks; elsewhere only a small database is copied, because the server is down
// meanwhile.
#pragma once
#include "base/time.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace backup {

struct BeforeUpgrade {
    std::filesystem::path copy;  // empty: no copy was made
    std::string why_not;         // a sentence
};

constexpr std::uint64_t most_bytes_copied = 64 << 20;

// Creates before-NNNN.db beside the database, NNNN being the number of the first migration to come. This
// process must not have the database open, because closing the copy's descriptors releases its locks. Leaves
// `reserve` bytes free.
BeforeUpgrade keep_before_upgrade(
    const std::filesystem::path& database, const std::string& first_migration, std::uint64_t reserve
);

// Removes the copies that are older than seven days.
void forget_old_upgrades(const std::filesystem::path& folder, base::Time now);

// The latest copy; empty if there is none.
std::filesystem::path last_before_upgrade(const std::filesystem::path& folder);

}  // namespace backup

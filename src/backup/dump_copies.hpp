// SPDX-License-Identifier: AGPL-3.0-or-later
// Full copies of PostgreSQL in the same archive: the blocks contain a portable dump (db/portable), and there
// is no log.
#pragma once
#include "backup/copy.hpp"
#include "backup/restore.hpp"
#include "db/portable/tally.hpp"

namespace backup {

// Reads one snapshot and takes no locks that would block writers. Blocks end at boundaries derived from the
// rows, so unchanged rows are already stored. Throws Away, and whatever the database throws.
Base take_dump(const Archive&, const Source&, const db::Options& database, std::int64_t now, const db::portable::Progress&);

// Counterpart of restore_database(): writes the dump to a file. Throws Broken and Away.
Restored restore_dump(
    const Archive&, std::optional<std::int64_t> at, const fs::path& dump, const Stopped& = {}
);
// Loads such a file into an empty database and runs the script in the same transaction. Throws Broken, and
// what db::portable::load_dump() throws.
void load_dump(
    const fs::path& dump, const db::Options& database, const db::portable::Progress& = {},
    std::string_view with_it = {}
);

}  // namespace backup

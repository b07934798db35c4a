// SPDX-License-Identifier: AGPL-3.0-or-later
// Whole copies of PostgreSQL in the same archive: what stands in the blocks is a portable dump (db/portable), and there is no
// log.
#pragma once
#include "backup/copy.hpp"
#include "backup/restore.hpp"
#include "db/portable/tally.hpp"

namespace backup {

// Reads one snapshot, and takes no lock but that of reading. Its blocks end where the rows themselves say, so those of rows that
// did not change are there already. Throws Away, and what the database throws.
Base take_dump(const Archive&, const Source&, const db::Options& database, std::int64_t now, const db::portable::Progress&);

// Where restore_database() makes a SQLite database of one: the dump itself, as a file. Throws Broken and Away.
Restored restore_dump(
    const Archive&, std::optional<std::int64_t> at, const fs::path& dump, const Stopped& = {}
);
// What is in such a file into an empty database, and what the script does in the same moment. Throws Broken, and what
// db::portable::load_dump() throws.
void load_dump(
    const fs::path& dump, const db::Options& database, const db::portable::Progress& = {},
    std::string_view with_it = {}
);

}  // namespace backup

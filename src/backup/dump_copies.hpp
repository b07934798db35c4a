// SPDX-License-Identifier: AGPL-3.0-or-later
// Whole copies of PostgreSQL in the same archive: what stands in the blocks is a portable dump (db/portable), and there is no
// log.
#pragma once
#include "backup/copy.hpp"
#include "backup/restore.hpp"
#include "db/portable/tally.hpp"

namespace backup {

Base take_dump(const Archive&, const Source&, const db::Options& database, std::int64_t now, const db::portable::Progress&);

// Where restore_database() makes a SQLite database of one: the dump itself, as a file. Throws Broken and Away.
Restored restore_dump(
    const Archive&, std::optional<std::int64_t> at, const fs::path& dump, const Stopped& = {}
);
// What is in such a file into an empty database. Throws Broken, and what db::portable::load_dump() throws.
void load_dump(const fs::path& dump, const db::Options& database, const db::portable::Progress& = {});

// ---- for both kinds of copies ----
// Whether something was found damaged, so that what is there is not believed by its size.
bool is_doubted(const Archive&);
void store_block(const Archive&, const std::string& hash, std::string_view bytes, bool doubted);
void add_files(const Archive&, const Source&, Base&, bool doubted);

}  // namespace backup

// SPDX-License-Identifier: AGPL-3.0-or-later
// Numbered SQL files, applied in order in one transaction each and recorded by name in schema_migrations.
//
// `NNNN_name.sql` serves both engines; `NNNN_name.sqlite.sql` and `NNNN_name.postgres.sql` run after it, or
// in its place, on their engine. A file for both is written for PostgreSQL; on SQLite these are replaced:
//   BIGINT PRIMARY KEY -> INTEGER PRIMARY KEY (the row's own number, not a second index)
//   BYTEA -> BLOB
// and /*sqlite: text*/ or /*postgres: text*/ is uncommented on the engine it names and stays a comment on the
// other.
#pragma once
#include "db/connection.hpp"

#include "base/time.hpp"

#include <functional>

namespace db {

// The database cannot be used with this program. The text says why and what to do.
struct MigrationError : std::runtime_error {
    using runtime_error::runtime_error;
};

struct Migration {
    std::string name;  // 0001_first
    std::string sql;   // for the engine in question
};

struct MigrationFile {
    std::string_view name, sql;  // "0001_first.postgres.sql" and its text
};

// The migrations of one engine, in order. Throws MigrationError for a name it cannot parse or a number that
// occurs twice.
std::vector<Migration> migrations_from(std::span<const MigrationFile>, bool postgres);

// The migrations compiled into the program.
std::vector<Migration> embedded_migrations(bool postgres);

// Called before each migration is applied, with its name and its number out of the total.
using MigrationProgress = std::function<void(const std::string& name, std::size_t number, std::size_t of)>;

// Applies the missing migrations and returns their names. Several programs may do this at once. Throws
// MigrationError when the database has migrations that are not in the list, or when one fails (which is
// rolled back).
std::vector<std::string> migrate(
    Connection&, base::Time now, const std::vector<Migration>&, const MigrationProgress& = {}
);
std::vector<std::string> migrate(Connection&, base::Time now, const MigrationProgress& = {});

// The names of what migrate() would apply. Throws as it does.
std::vector<std::string> pending_migrations(Connection&, const std::vector<Migration>&);

}  // namespace db

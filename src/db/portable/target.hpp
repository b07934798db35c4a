// SPDX-License-Identifier: AGPL-3.0-or-later
// An empty database that receives a copy. Nothing of it is visible before it is complete: PostgreSQL uses one
// transaction, SQLite a temporary file that is renamed at the end. So an aborted copy leaves the target
// empty.
#pragma once
#include "base/time.hpp"
#include "db/portable/dump.hpp"

namespace db::portable {

// The target already contains something.
struct NotEmpty : std::runtime_error {
    using runtime_error::runtime_error;
};

class Target {
public:
    // Creates the schema as of that migration. Throws NotEmpty, and MigrationError if this program does not
    // know the migration.
    Target(Options, const std::string& migration, base::Time now);
    ~Target();
    Target(const Target&) = delete;

    Store& store() { return *store_; }
    const std::vector<Table>& tables() const { return tables_; }
    // Creates the indexes once the rows are there. Rows may still be changed afterwards.
    void build();
    // Makes the copy visible: adds the jobs that rebuild derived tables, and applies newer migrations.
    void finish(base::Time now);

private:
    void begin();
    std::string rows() const;
    void strip();
    void empty();

    const Options options_;
    std::filesystem::path aside_;  // SQLite
    std::unique_ptr<Store> store_;
    std::vector<Table> tables_;
    std::vector<std::string> indexes_, triggers_;  // statements that recreate what was dropped
};

// Loads a dump into an empty database of either engine and applies newer migrations. Returns the tallies of
// what was then read back. Throws BrokenDump, NotEmpty, MigrationError; the target is then as empty as
// before. `with_it` is a script whose changes become visible together with the rows.
std::vector<Tallied> load_dump(
    DumpReader&, const Options& target, base::Time now, const Progress&, std::string_view with_it = {}
);

}  // namespace db::portable

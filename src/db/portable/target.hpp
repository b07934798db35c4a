// SPDX-License-Identifier: AGPL-3.0-or-later
// An empty database that takes a copy. Nobody sees any of it before it is whole: with PostgreSQL it is one transaction, with
// SQLite a file aside that gets its name at the end. So whatever breaks off leaves the target as empty as it was.
#pragma once
#include "base/time.hpp"
#include "db/portable/dump.hpp"

namespace db::portable {

// The target holds something already.
struct NotEmpty : std::runtime_error {
    using runtime_error::runtime_error;
};

class Target {
public:
    // The schema as of that migration. Throws NotEmpty, and MigrationError where this program does not know the migration.
    Target(Options, const std::string& migration, base::Time now);
    ~Target();
    Target(const Target&) = delete;

    Store& store() { return *store_; }
    const std::vector<Table>& tables() const { return tables_; }
    // Once the rows are there: indexes. Rows may still be changed afterwards.
    void build();
    // From now on it is there: with the jobs that make what is derived, and up to date with this program.
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
    std::vector<std::string> indexes_, triggers_;  // statements that make again what was stripped
};

// A dump into an empty database, of either engine, which is brought up to date afterwards. Answers what is in it now, as it was
// read again there. Throws BrokenDump, NotEmpty, MigrationError; then the target is as empty as it was. `with_it` is a script
// whose changes are there in the same moment as the rows.
std::vector<Tallied> load_dump(
    DumpReader&, const Options& target, base::Time now, const Progress&, std::string_view with_it = {}
);

}  // namespace db::portable

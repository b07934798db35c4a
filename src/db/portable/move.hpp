// SPDX-License-Identifier: AGPL-3.0-or-later
// Copies one database into another, empty one while the server keeps writing; then stops writers and copies
// the rest.
#pragma once
#include "db/portable/changes.hpp"
#include "db/portable/target.hpp"

namespace db::portable {

struct Moved {
    std::string table;
    std::int64_t rows = 0;     // at the end
    std::int64_t changed = 0;  // while they were copied; these rows were copied again
};
DESCRIBE(Moved, table, rows, changed)

class Move {
public:
    // Throws NotEmpty and MigrationError. The source's schema must be up to date.
    Move(const Options& from, const Options& to, base::Time now);
    ~Move();  // removes what it left in the source, if possible
    Move(const Move&) = delete;

    // Copies a snapshot of everything and builds the indexes; then reads it back and compares.
    void copy(const Progress&);
    // Blocks writers of the source until the end; throws when others keep it busy for too long.
    void stop_writing();
    // Copies what has changed since the snapshot and compares again. When this returns, the target is
    // complete.
    std::vector<Moved> finish(base::Time now);

private:
    std::int64_t catch_up(const Table&);
    void end() noexcept;

    std::unique_ptr<Store> noting_, source_;  // first: errors appear before the target is created
    Target target_;
    Changes changes_;
    std::vector<Moved> moved_;
    bool noted_ = false, stopped_ = false;
};

// Compares two databases while nobody writes to either. Returns the tables that differ; empty if all are
// equal.
struct Difference {
    Tallied here, there;
};
DESCRIBE(Difference, here, there)
std::vector<Difference> compare(const Options&, const Options&, const Progress&);

}  // namespace db::portable

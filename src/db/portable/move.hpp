// SPDX-License-Identifier: AGPL-3.0-or-later
// From one database into another, empty one, beside a server that goes on writing; then, when nobody writes, the rest.
#pragma once
#include "db/portable/changes.hpp"
#include "db/portable/target.hpp"

namespace db::portable {

struct Moved {
    std::string table;
    std::int64_t rows = 0;     // in the end
    std::int64_t changed = 0;  // while they were copied; these rows were copied once more
};
DESCRIBE(Moved, table, rows, changed)

class Move {
public:
    // Throws NotEmpty and MigrationError. The source is up to date.
    Move(const Options& from, const Options& to, base::Time now);
    ~Move();  // what it left in the source goes, if that can be done
    Move(const Move&) = delete;

    // A snapshot of all, with its indexes; read again and compared.
    void copy(const Progress&);
    // From here to the end nobody writes to the source; throws when others are at it for too long.
    void stop_writing();
    // What has changed since the snapshot; compared again. The target is there when this returns.
    std::vector<Moved> finish(base::Time now);

private:
    std::int64_t catch_up(const Table&);
    void end() noexcept;

    std::unique_ptr<Store> noting_, source_;  // before the target: refused before anything is made
    Target target_;
    Changes changes_;
    std::vector<Moved> moved_;
    bool noted_ = false, stopped_ = false;
};

// Of both, while nobody writes to either: what is not the same. Empty: all is.
struct Difference {
    Tallied here, there;
};
DESCRIBE(Difference, here, there)
std::vector<Difference> compare(const Options&, const Options&, const Progress&);

}  // namespace db::portable

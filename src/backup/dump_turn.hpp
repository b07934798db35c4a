// SPDX-License-Identifier: AGPL-3.0-or-later
// Whose turn it is to copy a database that several nodes share, and what became of it: a row that all of them read.
#pragma once
#include "db/session.hpp"

namespace backup {

struct DumpTurn {
    base::Time due_at, try_at;
    std::string holder;
    base::Time leased_until;
    base::Time made_at, verified_at;  // 0: never
    bool sound = true;
    std::int64_t failures = 0;  // in a row
    base::Time failed_at;
    std::string failure;  // also of a copy that was made, but without the uploaded files
};
DESCRIBE(
    DumpTurn, due_at, try_at, holder, leased_until, made_at, verified_at, sound, failures, failed_at, failure
)
DumpTurn dump_turn(db::Read&);

constexpr std::int64_t dump_lease_seconds = 600;
// Whether the next is due. A time further off than any that is written now is of a clock that was wrong.
bool is_due(const DumpTurn&, base::Time now, std::int64_t every_seconds);
// Whether it is `holder`'s now: a copy is due, and nobody else is at it.
bool take_turn(db::Write&, const std::string& holder, std::int64_t every_seconds);
// Whether it still is, for as long again.
bool keep_turn(db::Write&, const std::string& holder);
void give_turn_back(db::Write&, const std::string& holder);

// The next one is due at the same time of day, `every_seconds` after this one was. `without`: why uploaded files are not in it.
void note_made(
    db::Write&, const std::string& holder, base::Time made_at, std::int64_t every_seconds,
    std::string_view without = {}
);
void note_verified(db::Write&, base::Time at, bool sound);
// It is tried again after a quarter of an hour, then later and later, up to six hours.
void note_failed(db::Write&, const std::string& holder, std::string_view why);

}  // namespace backup

// SPDX-License-Identifier: AGPL-3.0-or-later
// Which node copies a database that several nodes share, and how that went: one row that all of them read.
#pragma once
#include "db/session.hpp"

namespace backup {

struct DumpTurn {
    base::Time due_at, try_at;
    std::string holder;
    base::Time leased_until;
    base::Time made_at, verified_at;  // 0: never
    bool sound = true;
    std::int64_t failures = 0;  // consecutive
    base::Time failed_at;
    std::string failure;  // also set for a copy that succeeded without the uploaded files
};
DESCRIBE(
    DumpTurn, due_at, try_at, holder, leased_until, made_at, verified_at, sound, failures, failed_at, failure
)
DumpTurn dump_turn(db::Read&);

constexpr std::int64_t dump_lease_seconds = 600;
// Whether the next copy is due. Times too far in the future came from a wrong clock and are ignored.
bool is_due(const DumpTurn&, base::Time now, std::int64_t every_seconds);
// Makes `holder` the one who copies, and returns true, if a copy is due and no other node is making one.
bool take_turn(db::Write&, const std::string& holder, std::int64_t every_seconds);
// Renews the turn; false if it was lost.
bool keep_turn(db::Write&, const std::string& holder);
void give_turn_back(db::Write&, const std::string& holder);

// The next copy is due at the same time of day, `every_seconds` after this one was due. `without`: why
// uploaded files are missing from it.
void note_made(
    db::Write&, const std::string& holder, base::Time made_at, std::int64_t every_seconds,
    std::string_view without = {}
);
void note_verified(db::Write&, base::Time at, bool sound);
// The next attempt is in a quarter of an hour; the delay doubles up to six hours.
void note_failed(db::Write&, const std::string& holder, std::string_view why);

}  // namespace backup

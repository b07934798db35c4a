// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/dump_turn.hpp"

#include <algorithm>

namespace backup {

namespace {

const db::Query<DumpTurn> turn{
    "dump_turn",
    R"(SELECT due_at, try_at, holder, leased_until, made_at, verified_at, sound, failures, failed_at, failure
       FROM dump_turns WHERE id = 1)"
};
// A lease that ends much later than any that could begin now came from a wrong clock. The row must not have
// changed since the copy was found to be due.
const db::Command take{
    "dump_turn_take",
    R"(UPDATE dump_turns SET holder = $1, leased_until = $2
       WHERE id = 1 AND due_at = $5 AND try_at = $6 AND made_at = $7
           AND (holder = $1 OR leased_until < $3 OR leased_until > $4))"
};
const db::Command keep{
    "dump_turn_keep", "UPDATE dump_turns SET leased_until = $2 WHERE id = 1 AND holder = $1"
};
const db::Command give_back{
    "dump_turn_give_back", "UPDATE dump_turns SET leased_until = 0 WHERE id = 1 AND holder = $1"
};
const db::Command made{
    "dump_turn_made",
    R"(UPDATE dump_turns SET made_at = $2, due_at = $3, try_at = 0, failures = 0, failure = $4
       WHERE id = 1 AND holder = $1)"
};
const db::Command verified{
    "dump_turn_verified", "UPDATE dump_turns SET verified_at = $1, sound = $2 WHERE id = 1"
};
const db::Command failed{
    "dump_turn_failed",
    R"(UPDATE dump_turns SET failures = failures + 1, failed_at = $2, failure = $3, try_at = $4, leased_until = 0
       WHERE id = 1 AND holder = $1)"
};

constexpr std::int64_t clocks_apart_seconds = 2 * dump_lease_seconds;  // unless a clock is wrong
constexpr std::int64_t longest_wait_seconds = 6 * 3600;                // after a failure

base::Time lease_from(base::Time now) { return now.plus_seconds(dump_lease_seconds); }

}  // namespace

DumpTurn dump_turn(db::Read& db) { return db.one(turn); }

bool is_due(const DumpTurn& seen, base::Time now, std::int64_t every_seconds) {
    const auto latest = now.plus_seconds(clocks_apart_seconds);
    const bool believed = seen.made_at <= latest && seen.due_at <= latest.plus_seconds(every_seconds);
    const bool is_time = seen.due_at <= now || seen.made_at.plus_seconds(every_seconds) <= now;
    const bool waits = seen.try_at > now && seen.try_at <= latest.plus_seconds(longest_wait_seconds);
    return (is_time || !believed) && !waits;
}

bool take_turn(db::Write& db, const std::string& holder, std::int64_t every_seconds) {
    const auto now = db.now();
    const auto seen = dump_turn(db);
    if (!is_due(seen, now, every_seconds)) return false;
    const auto latest = now.plus_seconds(clocks_apart_seconds);
    return db.run(take, holder, lease_from(now), now, latest, seen.due_at, seen.try_at, seen.made_at) > 0;
}

bool keep_turn(db::Write& db, const std::string& holder) {
    return db.run(keep, holder, lease_from(db.now())) > 0;
}

void give_turn_back(db::Write& db, const std::string& holder) { db.run(give_back, holder); }

void note_made(
    db::Write& db, const std::string& holder, base::Time made_at, std::int64_t every_seconds,
    std::string_view without
) {
    const auto was_due = dump_turn(db).due_at.ms, every = every_seconds * 1000;
    const bool by_that = was_due != 0 && was_due <= made_at.ms + clocks_apart_seconds * 1000;
    auto due = (by_that ? was_due : made_at.ms) + every;
    if (due <= db.now().ms) due += (db.now().ms - due) / every * every + every;
    db.run(made, holder, made_at, base::Time{due}, without);
}

void note_verified(db::Write& db, base::Time at, bool sound) { db.run(verified, at, sound); }

void note_failed(db::Write& db, const std::string& holder, std::string_view why) {
    constexpr std::int64_t first = 900, doublings = 5;
    const auto failures = std::min(dump_turn(db).failures, doublings);
    const auto wait = std::min(first << failures, longest_wait_seconds);
    db.run(failed, holder, db.now(), why, db.now().plus_seconds(wait));
}

}  // namespace backup

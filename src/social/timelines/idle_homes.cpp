// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/timelines/idle_homes.hpp"

#include "base/json_read.hpp"
#include "jobs/turn.hpp"
#include "social/accounts/account.hpp"
#include "social/instance/settings.hpp"
#include "social/relationships/relationship.hpp"

namespace timelines {

namespace {

constexpr const char *days_name = "home_days", *progress_name = "idle_homes";
constexpr std::int64_t day = 86'400;
constexpr int people_at_once = 500, follows_at_once = 100, entries_at_once = 200;
constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();

struct Progress {
    base::UserId after;  // looked at up to here
    base::Time rests_until;
    base::UserId user;  // whose home is being emptied
    base::AccountId account;
    bool begun = false, marked = false;
    base::FollowId follow;  // the follows up to this one are marked
    base::StatusId entry;   // the entries up to this one are gone
};
DESCRIBE(Progress, after, rests_until, user, account, begun, marked, follow, entry)

struct IdlePerson {
    base::UserId id;
    base::AccountId account_id;
    bool idle = false;
};
DESCRIBE(IdlePerson, id, account_id, idle)

Progress read_progress(const std::optional<std::string>& stored) {
    return stored ? base::json::read<Progress>(*stored) : Progress{};
}

}  // namespace

void keep_idle_homes_for(db::Write& db, std::int64_t days) {
    instance::set_setting(db, days_name, std::to_string(days));
}

std::int64_t days_of_idle_homes(db::Read& db) { return instance::number_setting(db, days_name); }

// users belongs to accounts, follows to relationships.
const db::Query<IdlePerson> people_who_may_be_idle{
    "people_who_may_be_idle",
    R"(SELECT id, account_id, away = FALSE AND COALESCE(last_active_at, created_at) < $2 AS idle FROM users
       WHERE id > $1 ORDER BY id LIMIT $3)"
};
const db::Query<std::int64_t> end_of_followed_chunk{
    "end_of_followed_chunk",
    "SELECT id FROM follows WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT 1 OFFSET $3"
};
const db::Command mark_follows_emptied{
    "mark_follows_emptied",
    "UPDATE follows SET backfill_below = $4 WHERE account_id = $1 AND id > $2 AND id <= $3"
};
const db::Query<std::int64_t> end_of_home_chunk{
    "end_of_home_chunk",
    R"(SELECT status_id FROM home_entries WHERE account_id = $1 AND status_id > $2
       ORDER BY status_id LIMIT 1 OFFSET $3)"
};
// One's own stay: no follow brings them back.
const db::Command delete_entries_of_others{
    "delete_entries_of_others",
    "DELETE FROM home_entries WHERE account_id = $1 AND status_id > $2 AND status_id <= $3 AND author_id <> "
    "$1"
};

namespace {

// Entries go only when all follows are marked, so that nothing is missing at any time. True: that was the last step.
bool step(db::Write& db, Progress& at) {
    if (!at.marked) {
        const auto end = db.maybe(end_of_followed_chunk, at.account, at.follow, follows_at_once - 1);
        db.run(mark_follows_emptied, at.account, at.follow, end.value_or(no_end), nothing_filled);
        accounts::touch_relations(db, at.account);
        if (end) at.follow.value = *end;
        at.marked = !end;
        return false;
    }
    const auto end = db.maybe(end_of_home_chunk, at.account, at.entry, entries_at_once - 1);
    db.run(delete_entries_of_others, at.account, at.entry, end.value_or(no_end));
    if (end) at.entry.value = *end;
    return !end;
}

// Who is back meanwhile keeps what is left.
void empty_some(db::Write& db, Progress& at, base::Time since) {
    const jobs::Turn turn;
    bool over = !(at.begun ? accounts::still_away(db, at.user) : accounts::note_away(db, at.user, since));
    at.begun = true;
    while (!over && !turn.over()) over = step(db, at);
    if (over) at = Progress{at.after, {}, {}, {}, false, false, {}, {}};
}

// Whose home is next, among the next people.
void look_on(db::Read& db, Progress& at, base::Time since) {
    const auto people = db.all(people_who_may_be_idle, at.after, since, people_at_once);
    for (const auto& one : people) {
        at.after = one.id;
        if (!one.idle) continue;
        at.user = one.id;
        at.account = one.account_id;
        return;
    }
    if (people.size() == people_at_once) return;
    at.after = {};
    at.rests_until = db.now().plus_seconds(day);
}

}  // namespace

jobs::Change empty_idle_homes(db::Read& db) {
    const auto days = days_of_idle_homes(db);
    if (days <= 0) return {};
    const auto stored = instance::setting(db, progress_name);
    auto at = read_progress(stored);
    if (!at.user && at.rests_until > db.now()) return {};
    const auto since = db.now().plus_seconds(-days * day);
    if (!at.user) look_on(db, at, since);
    return [at, stored, since](db::Write& write) mutable {
        if (instance::setting(write, progress_name) != stored)
            return;  // `dunlin prune` goes on beside the server
        if (at.user) empty_some(write, at, since);
        instance::set_setting(write, progress_name, base::json::to_string(at));
    };
}

void leave_homes_alone(db::Write& db, std::int64_t days) {
    auto at = read_progress(instance::setting(db, progress_name));
    // By whole days: a copy that is made again a moment later says the same.
    at.rests_until = db.now().midnight().plus_seconds(days * day);
    instance::set_setting(db, progress_name, base::json::to_string(at));
}

void begin_with_idle_homes(db::Write& db) {
    auto at = read_progress(instance::setting(db, progress_name));
    at.after = {};
    at.rests_until = {};
    instance::set_setting(db, progress_name, base::json::to_string(at));
}

const db::Query<relationships::Backfill> emptied_follows{
    "emptied_follows",
    R"(SELECT id AS follow, target_id AS target, backfill_below AS below FROM follows
       WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3)"
};

void refill_home(db::Write& db, const accounts::CameBack& back) {
    continue_refilling(db, {back.account, {}});
}

void continue_refilling(db::Write& db, const RefillContinued& left) {
    const auto follows = db.all(emptied_follows, left.account, left.after, follows_at_once);
    for (const auto& one : follows)
        if (one.below == nothing_filled) db.emit(FollowEmptied{one.follow, one.target});
    if (follows.size() == follows_at_once) db.emit(RefillContinued{left.account, follows.back().follow});
}

}  // namespace timelines

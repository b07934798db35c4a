// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/move.hpp"

#include "base/json_read.hpp"
#include "social/accounts/account.hpp"

namespace relationships {

namespace {

constexpr int chunk = 50;

struct Fan {
    FollowId id;
    AccountId account;
    bool show_reblogs = true, notify = false;
    std::optional<std::string> languages;
};
DESCRIBE(Fan, id, account, show_reblogs, notify, languages)

struct Blocking {
    BlockId id;
    AccountId account;
};
DESCRIBE(Blocking, id, account)

struct Muting {
    base::MuteId id;
    AccountId account;
    bool hide_notifications = true;
    std::optional<Time> expires_at;
};
DESCRIBE(Muting, id, account, hide_notifications, expires_at)

// A move may be undone before all followers were moved.
bool still_moved(db::Read& db, AccountId account, AccountId target) {
    return accounts::account(db, account).moved_to_id == target;
}

}  // namespace

void move(db::Write& db, AccountId account, AccountId target) {
    if (account == target) throw base::Forbidden();
    accounts::move_to(db, account, target);
    db.emit(Moved{account, target});
}

void begin_moving(db::Write& db, const Moved& moved) {
    db.emit(MovingBlocksContinued{moved.account, moved.target, 0});
    db.emit(MovingMutesContinued{moved.account, moved.target, 0});
    db.emit(MovingNotesContinued{moved.account, moved.target, 0});
    continue_moving(db, {moved.account, moved.target, 0});
}

const db::Query<Blocking> local_blockers_of{
    "local_blockers_of",
    R"(SELECT b.id, b.account_id AS account FROM blocks b JOIN accounts a ON a.id = b.account_id
       WHERE b.target_id = $1 AND b.id > $2 AND a.domain = '' ORDER BY b.id LIMIT $3)"
};

void continue_moving_blocks(db::Write& db, const MovingBlocksContinued& left) {
    if (!still_moved(db, left.account, left.target)) return;
    auto blocks = db.all(local_blockers_of, left.account, left.after, chunk);
    for (const auto& [id, who] : blocks) {
        auto pair = pair_state(db, who, left.target);
        if (!pair.blocking && !pair.following && who != left.target) block(db, who, left.target);
    }
    if (blocks.size() == chunk)
        db.emit(MovingBlocksContinued{left.account, left.target, blocks.back().id.value});
}

// Mutes that have not expired. An existing mute of the new account, with its duration, is kept.
const db::Query<Muting> local_muters_of{
    "local_muters_of",
    R"(SELECT m.id, m.account_id AS account, m.hide_notifications, m.expires_at
       FROM mutes m JOIN accounts a ON a.id = m.account_id
       WHERE m.target_id = $1 AND m.id > $3 AND a.domain = '' AND (m.expires_at IS NULL OR m.expires_at > $5)
         AND NOT EXISTS (SELECT 1 FROM mutes n WHERE n.account_id = m.account_id AND n.target_id = $2
                           AND (n.expires_at IS NULL OR n.expires_at > $5))
       ORDER BY m.id LIMIT $4)"
};

void continue_moving_mutes(db::Write& db, const MovingMutesContinued& left) {
    if (!still_moved(db, left.account, left.target)) return;
    auto mutes = db.all(local_muters_of, left.account, left.target, left.after, chunk, db.now());
    for (const auto& [id, who, notifications, until] : mutes)
        if (who != left.target) mute_until(db, who, left.target, notifications, until);
    if (mutes.size() == chunk)
        db.emit(MovingMutesContinued{left.account, left.target, mutes.back().id.value});
}

const db::Query<AccountId> last_note_of_chunk{
    "last_note_of_chunk",
    R"(SELECT account_id FROM account_notes WHERE target_id = $1 AND account_id > $2
       ORDER BY account_id LIMIT 1 OFFSET $3)"
};
const db::Command copy_notes{
    "copy_notes",
    R"(INSERT INTO account_notes (account_id, target_id, comment)
       SELECT n.account_id, $2, n.comment FROM account_notes n
       WHERE n.target_id = $1 AND n.account_id > $3 AND n.account_id <= $4
       ON CONFLICT (account_id, target_id) DO NOTHING)"
};

void continue_moving_notes(db::Write& db, const MovingNotesContinued& left) {
    if (!still_moved(db, left.account, left.target)) return;
    auto last = db.maybe(last_note_of_chunk, left.account, left.after, chunk - 1);
    constexpr AccountId end{std::numeric_limits<std::int64_t>::max()};
    db.run(copy_notes, left.account, left.target, left.after, last.value_or(end));
    if (last) db.emit(MovingNotesContinued{left.account, left.target, last->value});
}

const db::Query<Fan> local_fans_of{
    "local_fans_of",
    R"(SELECT f.id, f.account_id AS account, f.show_reblogs, f.notify, f.languages
       FROM follows f JOIN accounts a ON a.id = f.account_id
       WHERE f.target_id = $1 AND f.id > $2 AND a.domain = '' ORDER BY f.id LIMIT $3)"
};

namespace {

void take_along(db::Write& db, const Fan& fan, const MoveContinued& left) {
    FollowOptions options{fan.show_reblogs, fan.notify, {}};
    if (fan.languages) options.languages = base::json::read<std::vector<std::string>>(*fan.languages);
    try {
        if (fan.account != left.target) follow(db, fan.account, left.target, options);
    } catch (const base::Error&) {
        // Blocked, or over the limit: they stay followers of the old account.
        return;
    }
    if (fan.account != left.target) db.emit(FollowTakenAlong{fan.account, left.account, left.target});
    unfollow(db, fan.account, left.account);
}

}  // namespace

void continue_moving(db::Write& db, const MoveContinued& left) {
    if (!still_moved(db, left.account, left.target)) return;
    auto fans = db.all(local_fans_of, left.account, left.after, chunk);
    for (const auto& fan : fans) take_along(db, fan, left);
    if (fans.size() == chunk) db.emit(MoveContinued{left.account, left.target, fans.back().id.value});
}

}  // namespace relationships

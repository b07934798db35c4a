// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/move.hpp"

#include "base/json_read.hpp"
#include "social/accounts/account.hpp"

namespace relationships {

namespace {

constexpr int chunk = 200;

struct Fan {
    FollowId id;
    AccountId account;
    bool show_reblogs = true, notify = false;
    std::optional<std::string> languages;
};
DESCRIBE(Fan, id, account, show_reblogs, notify, languages)

struct Muting {
    AccountId account;
    bool hide_notifications = true;
    std::optional<Time> expires_at;
};
DESCRIBE(Muting, account, hide_notifications, expires_at)

}  // namespace

void move(db::Write& db, AccountId account, AccountId target) {
    if (account == target) throw base::Forbidden();
    accounts::move_to(db, account, target);
    db.emit(Moved{account, target});
}

const db::Query<AccountId> local_blockers_of{
    "local_blockers_of",
    R"(SELECT b.account_id FROM blocks b JOIN accounts a ON a.id = b.account_id
       WHERE b.target_id = $1 AND a.domain = '' ORDER BY b.id LIMIT 1000)"
};
const db::Query<Muting> local_muters_of{
    "local_muters_of",
    R"(SELECT m.account_id AS account, m.hide_notifications, m.expires_at
       FROM mutes m JOIN accounts a ON a.id = m.account_id
       WHERE m.target_id = $1 AND a.domain = '' ORDER BY m.id LIMIT 1000)"
};
const db::Command copy_notes{
    "copy_notes",
    R"(INSERT INTO account_notes (account_id, target_id, comment)
       SELECT n.account_id, $2, n.comment FROM account_notes n WHERE n.target_id = $1
       ON CONFLICT (account_id, target_id) DO NOTHING)"
};

void begin_moving(db::Write& db, const Moved& moved) {
    for (auto who : db.all(local_blockers_of, moved.account)) {
        auto pair = standing(db, who, moved.target);
        if (!pair.blocking && !pair.following && who != moved.target) block(db, who, moved.target);
    }
    for (const auto& muting : db.all(local_muters_of, moved.account)) {
        if (muting.account == moved.target) continue;
        auto left = muting.expires_at ? (muting.expires_at->ms - db.now().ms) / 1000 : 0;
        if (left >= 0) mute(db, muting.account, moved.target, muting.hide_notifications, left);
    }
    db.run(copy_notes, moved.account, moved.target);
    continue_moving(db, {moved.account, moved.target, 0});
}

const db::Query<Fan> local_fans_of{
    "local_fans_of",
    R"(SELECT f.id, f.account_id AS account, f.show_reblogs, f.notify, f.languages
       FROM follows f JOIN accounts a ON a.id = f.account_id
       WHERE f.target_id = $1 AND f.id > $2 AND a.domain = '' ORDER BY f.id LIMIT $3)"
};

namespace {

void take_along(db::Write& db, const Fan& fan, const MoveLeft& left) {
    FollowOptions options{fan.show_reblogs, fan.notify, {}};
    if (fan.languages) options.languages = base::json::read<std::vector<std::string>>(*fan.languages);
    try {
        if (fan.account != left.target) follow(db, fan.account, left.target, options);
    } catch (const base::Error&) {
        // Blocked, or too many: they follow the old account until they say otherwise.
        return;
    }
    unfollow(db, fan.account, left.account);
}

}  // namespace

void continue_moving(db::Write& db, const MoveLeft& left) {
    if (accounts::account(db, left.account).moved_to_id != left.target) return;  // taken back meanwhile
    auto fans = db.all(local_fans_of, left.account, left.after, chunk);
    for (const auto& fan : fans) take_along(db, fan, left);
    if (fans.size() == chunk) db.emit(MoveLeft{left.account, left.target, fans.back().id.value});
}

}  // namespace relationships

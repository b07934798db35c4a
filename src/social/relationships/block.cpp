// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/relationship.hpp"

namespace relationships {

const db::Command insert_block{
    "insert_block",
    R"(INSERT INTO blocks (id, account_id, target_id, created_at, uri) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (account_id, target_id) DO NOTHING)"
};

void block(db::Write& db, AccountId me, AccountId target, std::string_view uri) {
    if (me == target) throw base::Forbidden();
    accounts::account(db, target);
    unfollow(db, me, target);
    refuse(db, me, target);
    std::optional<std::string_view> its_id;
    if (!uri.empty()) its_id = uri;
    if (db.run(insert_block, db.new_id<base::BlockId>(), me, target, db.now(), its_id) == 0) return;
    accounts::touch_relations(db, me);
    accounts::touch_relations(db, target);
    db.emit(Blocked{me, target});
}

const db::Query<BlockId> block_between{
    "block_between",
    "SELECT id FROM blocks WHERE account_id = $1 AND target_id = $2",
    "SELECT id FROM blocks WHERE account_id = $1 AND target_id = $2 FOR UPDATE"
};
const db::Command end_block{"end_block", "DELETE FROM blocks WHERE id = $1"};

void unblock(db::Write& db, AccountId me, AccountId target) {
    accounts::account(db, target);
    auto ended = db.maybe(block_between, me, target);
    if (!ended) return;
    accounts::touch_relations(db, me);
    accounts::touch_relations(db, target);
    // Before the row is deleted: it records how the block was delivered.
    db.emit(Unblocked{me, target, *ended});
    db.run(end_block, *ended);
}

const db::Query<AccountPair> block_by_uri{
    "block_by_uri", "SELECT account_id AS account, target_id AS target FROM blocks WHERE uri = $1"
};

std::optional<AccountPair> blocked_by(db::Read& db, std::string_view uri) {
    if (uri.empty()) return std::nullopt;
    return db.maybe(block_by_uri, uri);
}

const db::Command put_mute{
    "put_mute",
    R"(INSERT INTO mutes (id, account_id, target_id, hide_notifications, expires_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (account_id, target_id) DO UPDATE SET
           hide_notifications = excluded.hide_notifications, expires_at = excluded.expires_at)"
};

void mute(db::Write& db, AccountId me, AccountId target, bool notifications, std::int64_t seconds) {
    std::optional<Time> until;
    constexpr std::int64_t century = 3'155'760'000;
    if (seconds > 0) until = db.now().plus_seconds(std::min(seconds, century));
    mute_until(db, me, target, notifications, until);
}

void mute_until(
    db::Write& db, AccountId me, AccountId target, bool notifications, std::optional<Time> until
) {
    if (me == target) throw base::Forbidden();
    accounts::account(db, target);
    db.run(put_mute, db.new_id<base::MuteId>(), me, target, notifications, until, db.now());
    accounts::touch_relations(db, me);
    db.emit(Muted{me, target, notifications});
}

const db::Command delete_mute{"delete_mute", "DELETE FROM mutes WHERE account_id = $1 AND target_id = $2"};

void unmute(db::Write& db, AccountId me, AccountId target) {
    accounts::account(db, target);
    if (db.run(delete_mute, me, target) > 0) accounts::touch_relations(db, me);
}

const db::Command delete_expired_mutes{
    "delete_expired_mutes",
    "DELETE FROM mutes WHERE id IN (SELECT id FROM mutes WHERE expires_at < $1 LIMIT 500)"
};

// Relationships do not change: expired mutes have been ignored since they expired.
void purge_mutes(db::Write& db) { db.run(delete_expired_mutes, db.now()); }

}  // namespace relationships

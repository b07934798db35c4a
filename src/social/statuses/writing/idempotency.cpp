// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/writing/compose.hpp"

namespace statuses {

namespace {

constexpr std::int64_t key_lives_seconds = 3600;

}  // namespace

const db::Query<StatusId> status_of_key{
    "status_of_key",
    "SELECT status_id FROM idempotency_keys WHERE account_id = $1 AND key = $2 AND created_at > $3"
};

std::optional<StatusId> made_before(db::Read& db, AccountId account, const std::string& key) {
    if (key.empty()) return std::nullopt;
    return db.maybe(status_of_key, account, key, db.now().plus_seconds(-key_lives_seconds));
}

const db::Command put_idempotency_key{
    "put_idempotency_key",
    R"(INSERT INTO idempotency_keys (account_id, key, status_id, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (account_id, key) DO UPDATE SET status_id = excluded.status_id, created_at = excluded.created_at)"
};

void remember(db::Write& db, AccountId account, const std::string& key, StatusId id) {
    if (!key.empty()) db.run(put_idempotency_key, account, key, id, db.now());
}

const db::Command change_idempotency_key{
    "change_idempotency_key",
    "UPDATE idempotency_keys SET status_id = $3 WHERE account_id = $1 AND status_id = $2"
};

void remember_instead(db::Write& db, AccountId account, StatusId before, StatusId now) {
    db.run(change_idempotency_key, account, before, now);
}

const db::Command delete_old_keys{
    "delete_old_keys",
    R"(DELETE FROM idempotency_keys WHERE (account_id, key) IN (
           SELECT account_id, key FROM idempotency_keys WHERE created_at < $1 LIMIT 500))"
};

void purge_idempotency_keys(db::Write& db) {
    db.run(delete_old_keys, db.now().plus_seconds(-key_lives_seconds));
}

const db::Command drop_own_idempotency_keys{
    "drop_own_idempotency_keys",
    R"(DELETE FROM idempotency_keys WHERE account_id = $1 AND key IN (
           SELECT key FROM idempotency_keys WHERE account_id = $1 ORDER BY key LIMIT $2))"
};

}  // namespace statuses

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/writing/kept_draft.hpp"

#include <algorithm>

namespace statuses {

namespace {

struct Row {
    std::string key, data;
    base::Time updated_at;
};
DESCRIBE(Row, key, data, updated_at)

constexpr std::size_t longest_key = 64;

bool plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

}  // namespace

const db::Query<Row> latest_kept_drafts{
    "latest_kept_drafts",
    "SELECT key, data, updated_at FROM kept_drafts WHERE account_id = $1 ORDER BY updated_at DESC LIMIT $2"
};
const db::Query<std::int64_t> other_kept_drafts{
    "other_kept_drafts", "SELECT COUNT(*) FROM kept_drafts WHERE account_id = $1 AND key <> $2"
};
const db::Command put_kept_draft{
    "put_kept_draft",
    R"(INSERT INTO kept_drafts (account_id, key, data, updated_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (account_id, key) DO UPDATE SET data = excluded.data, updated_at = excluded.updated_at)"
};
const db::Command delete_kept_draft{
    "delete_kept_draft", "DELETE FROM kept_drafts WHERE account_id = $1 AND key = $2"
};
const db::Command drop_own_kept_drafts{
    "drop_own_kept_drafts",
    R"(DELETE FROM kept_drafts WHERE account_id = $1 AND key IN (
           SELECT key FROM kept_drafts WHERE account_id = $1 ORDER BY key LIMIT $2))"
};

std::vector<KeptDraft> kept_drafts(db::Read& db, base::AccountId account) {
    std::vector<KeptDraft> out;
    auto add = [&](Row row) { out.push_back({std::move(row.key), {std::move(row.data)}, row.updated_at}); };
    db.each(latest_kept_drafts, add, account, static_cast<int>(most_kept_drafts));
    return out;
}

void keep_draft(db::Write& db, base::AccountId account, const std::string& key, const std::string& json) {
    if (key.size() > longest_key || !std::ranges::all_of(key, plain))
        throw base::Invalid("Validation failed: Key is invalid");
    if (json.size() > longest_kept_draft) throw base::Invalid("Validation failed: Data is too long");
    if (db.one(other_kept_drafts, account, key) >= static_cast<std::int64_t>(most_kept_drafts))
        throw base::Invalid("There are too many drafts");
    db.run(put_kept_draft, account, key, json, db.now());
}

void forget_draft(db::Write& db, base::AccountId account, const std::string& key) {
    db.run(delete_kept_draft, account, key);
}

}  // namespace statuses

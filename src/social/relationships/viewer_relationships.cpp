// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/viewer_relationships.hpp"

#include "base/cache.hpp"
#include "base/json_read.hpp"

namespace relationships {

struct FollowedRow {
    AccountId target_id;
    bool show_reblogs = true;
    std::optional<std::string> languages;
    std::int64_t backfill_below = 0;
};
DESCRIBE(FollowedRow, target_id, show_reblogs, languages, backfill_below)

struct MutedRow {
    AccountId target_id;
    std::optional<Time> expires_at;
};
DESCRIBE(MutedRow, target_id, expires_at)

const db::Query<FollowedRow> relations_following{
    "relations_following",
    "SELECT target_id, show_reblogs, languages, backfill_below FROM follows WHERE account_id = $1"
};
const db::Query<AccountId> relations_blocking{
    "relations_blocking", "SELECT target_id FROM blocks WHERE account_id = $1"
};
const db::Query<AccountId> relations_blocked_by{
    "relations_blocked_by", "SELECT account_id FROM blocks WHERE target_id = $1"
};
const db::Query<MutedRow> relations_muting{
    "relations_muting", "SELECT target_id, expires_at FROM mutes WHERE account_id = $1"
};

const db::Query<std::string> relations_blocked_domains{
    "relations_blocked_domains", "SELECT domain FROM user_domain_blocks WHERE account_id = $1"
};

namespace {

Relationships load(db::Read& db, AccountId viewer) {
    Relationships relations;
    relations.self = viewer;
    db.each(
        relations_following,
        [&](FollowedRow row) {
            auto& following = relations.following[row.target_id];
            if (row.backfill_below > 0) relations.unmerged = true;
            following.show_reblogs = row.show_reblogs;
            if (row.languages)
                following.languages = base::json::read<std::vector<std::string>>(*row.languages);
        },
        viewer
    );
    db.each(relations_blocking, [&](AccountId id) { relations.blocking.insert(id); }, viewer);
    db.each(relations_blocked_by, [&](AccountId id) { relations.blocked_by.insert(id); }, viewer);
    db.each(
        relations_muting,
        [&](const MutedRow& row) { relations.muting[row.target_id] = row.expires_at; },
        viewer
    );
    db.each(
        relations_blocked_domains,
        [&](std::string domain) { relations.blocked_domains.insert(std::move(domain)); },
        viewer
    );
    return relations;
}

base::Cache<Relationships>& kept() {
    static base::Cache<Relationships> cache(16 << 20);
    return cache;
}

}  // namespace

std::shared_ptr<const Relationships> relationships_of(
    db::Read& db, AccountId viewer, std::int64_t relations_version
) {
    if (auto found = kept().find({viewer.value, relations_version})) return found;
    auto loaded = load(db, viewer);
    loaded.version = relations_version;
    auto made = std::make_shared<const Relationships>(std::move(loaded));
    auto entries = made->following.size() + made->blocking.size() + made->blocked_by.size() +
                   made->muting.size() + made->blocked_domains.size();
    if (db.is_committed()) kept().put({viewer.value, relations_version}, made, entries * 64 + 256);
    return made;
}

}  // namespace relationships

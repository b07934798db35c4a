// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/viewer_relationships.hpp"

#include "base/cache.hpp"
#include "base/json_read.hpp"

namespace relationships {

// A row of any kind of relationship; the meaning of the members depends on the kind.
struct RelationRow {
    std::int64_t kind = 0;
    AccountId other;
    bool show_reblogs = true;
    std::optional<std::string> text;     // languages, or a domain
    std::optional<std::int64_t> number;  // backfill_below, or the expiry
};
DESCRIBE(RelationRow, kind, other, show_reblogs, text, number)

// One query for all kinds, to wait only once.
const db::Query<RelationRow> relations_of_viewer{
    "relations_of_viewer",
    R"(SELECT 1 AS kind, target_id AS other, show_reblogs, languages AS text, backfill_below AS number
           FROM follows WHERE account_id = $1
       UNION ALL SELECT 2, target_id, FALSE, NULL, NULL FROM blocks WHERE account_id = $1
       UNION ALL SELECT 3, account_id, FALSE, NULL, NULL FROM blocks WHERE target_id = $1
       UNION ALL SELECT 4, target_id, FALSE, NULL, expires_at FROM mutes WHERE account_id = $1
       UNION ALL SELECT 5, 0, FALSE, domain, NULL FROM user_domain_blocks WHERE account_id = $1)"
};

namespace {

enum Kind { following = 1, blocking = 2, blocked_by = 3, muting = 4, blocked_domain = 5 };

void add(Relationships& relations, RelationRow row) {
    switch (row.kind) {
        case following: {
            auto& one = relations.following[row.other];
            if (row.number.value_or(0) > 0) relations.unmerged = true;
            one.show_reblogs = row.show_reblogs;
            if (row.text) one.languages = base::json::read<std::vector<std::string>>(*row.text);
            return;
        }
        case blocking: relations.blocking.insert(row.other); return;
        case blocked_by: relations.blocked_by.insert(row.other); return;
        case muting:
            relations.muting[row.other] = row.number ? std::optional(Time{*row.number}) : std::nullopt;
            return;
        case blocked_domain: relations.blocked_domains.insert(row.text.value_or("")); return;
        default: return;
    }
}

Relationships load(db::Read& db, AccountId viewer) {
    Relationships relations;
    relations.self = viewer;
    db.each(relations_of_viewer, [&](RelationRow row) { add(relations, std::move(row)); }, viewer);
    return relations;
}

// Needed for every listener of a stream at every post that may concern them. Half of this size holds 1,600
// people with 300 follows each; those that do not fit are read from the database each time, which costs ten
// times the rest of an event.
base::Cache<Relationships>& kept() {
    static base::Cache<Relationships> cache(64 << 20);
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

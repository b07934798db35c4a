// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/circle.hpp"

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

const db::Query<FollowedRow> circle_following{
    "circle_following",
    "SELECT target_id, show_reblogs, languages, backfill_below FROM follows WHERE account_id = $1"
};
const db::Query<AccountId> circle_blocking{
    "circle_blocking", "SELECT target_id FROM blocks WHERE account_id = $1"
};
const db::Query<AccountId> circle_blocked_by{
    "circle_blocked_by", "SELECT account_id FROM blocks WHERE target_id = $1"
};
const db::Query<MutedRow> circle_muting{
    "circle_muting", "SELECT target_id, expires_at FROM mutes WHERE account_id = $1"
};

const db::Query<std::string> circle_blocked_domains{
    "circle_blocked_domains", "SELECT domain FROM user_domain_blocks WHERE account_id = $1"
};

namespace {

Circle load(db::Read& db, AccountId viewer) {
    Circle circle;
    circle.self = viewer;
    db.each(
        circle_following,
        [&](FollowedRow row) {
            auto& following = circle.following[row.target_id];
            if (row.backfill_below > 0) circle.unmerged = true;
            following.show_reblogs = row.show_reblogs;
            if (row.languages)
                following.languages = base::json::read<std::vector<std::string>>(*row.languages);
        },
        viewer
    );
    db.each(circle_blocking, [&](AccountId id) { circle.blocking.insert(id); }, viewer);
    db.each(circle_blocked_by, [&](AccountId id) { circle.blocked_by.insert(id); }, viewer);
    db.each(
        circle_muting, [&](const MutedRow& row) { circle.muting[row.target_id] = row.expires_at; }, viewer
    );
    db.each(
        circle_blocked_domains,
        [&](std::string domain) { circle.blocked_domains.insert(std::move(domain)); },
        viewer
    );
    return circle;
}

base::Cache<Circle>& kept() {
    static base::Cache<Circle> cache(16 << 20);
    return cache;
}

}  // namespace

std::shared_ptr<const Circle> circle(db::Read& db, AccountId viewer, std::int64_t relations_version) {
    if (auto found = kept().find({viewer.value, relations_version})) return found;
    auto loaded = load(db, viewer);
    loaded.version = relations_version;
    auto made = std::make_shared<const Circle>(std::move(loaded));
    auto entries = made->following.size() + made->blocking.size() + made->blocked_by.size() +
                   made->muting.size() + made->blocked_domains.size();
    if (db.settled()) kept().put({viewer.value, relations_version}, made, entries * 64 + 256);
    return made;
}

}  // namespace relationships

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/tags/tag_follow.hpp"

#include "base/cache.hpp"
#include "social/accounts/account.hpp"

#include <algorithm>

namespace tags {

const db::Command insert_tag_follow{
    "insert_tag_follow",
    R"(INSERT INTO tag_follows (id, account_id, tag_id) VALUES ($1, $2, $3)
       ON CONFLICT (account_id, tag_id) DO NOTHING)"
};
const db::Query<std::int64_t> number_of_tag_follows{
    "number_of_tag_follows", "SELECT CAST(count(*) AS BIGINT) FROM tag_follows WHERE account_id = $1"
};

namespace {

// Limits lookups when home is read.
constexpr std::int64_t most_followed = 1000;

}  // namespace

Followed follow(db::Write& db, base::AccountId me, std::string_view name) {
    auto tag = put(db, checked_name(name), name);
    if (db.run(insert_tag_follow, db.new_id<base::Id<struct TagFollowTag>>(), me, tag) == 0)
        return {tag, false};
    if (db.one(number_of_tag_follows, me) > most_followed)
        throw base::Invalid(
            "Validation failed: You cannot follow more than " + std::to_string(most_followed) + " hashtags"
        );
    accounts::touch_relations(db, me);
    return {tag, true};
}

const db::Command delete_tag_follow{
    "delete_tag_follow", "DELETE FROM tag_follows WHERE account_id = $1 AND tag_id = $2"
};

void unfollow(db::Write& db, base::AccountId me, std::string_view name) {
    auto tag = find_tag(db, checked_name(name));
    if (tag && db.run(delete_tag_follow, me, tag->id) > 0) accounts::touch_relations(db, me);
}

const db::Query<FollowedTag> followed_tags_down{
    "followed_tags_down",
    R"(SELECT f.id AS cursor, t.id, t.name, t.display_name FROM tag_follows f JOIN tags t ON t.id = f.tag_id
       WHERE f.account_id = $1 AND f.id > $2 AND f.id < $3 ORDER BY f.id DESC LIMIT $4)"
};
const db::Query<FollowedTag> followed_tags_up{
    "followed_tags_up",
    R"(SELECT f.id AS cursor, t.id, t.name, t.display_name FROM tag_follows f JOIN tags t ON t.id = f.tag_id
       WHERE f.account_id = $1 AND f.id > $2 AND f.id < $3 ORDER BY f.id LIMIT $4)"
};

std::vector<FollowedTag> followed_tags(db::Read& db, base::AccountId account, const base::Range& page) {
    const auto& sql = page.ascending ? followed_tags_up : followed_tags_down;
    auto rows = db.all(sql, account, page.above, page.below, page.limit);
    if (page.ascending) std::ranges::reverse(rows);
    return rows;
}

const db::Query<base::TagId> ids_of_followed_tags{
    "ids_of_followed_tags", "SELECT tag_id FROM tag_follows WHERE account_id = $1"
};

namespace {

using Ids = std::vector<base::TagId>;

base::Cache<Ids>& kept() {
    static base::Cache<Ids> cache(4 << 20);
    return cache;
}

}  // namespace

std::shared_ptr<const Ids> followed_ids(
    db::Read& db, base::AccountId account, std::int64_t relations_version
) {
    if (auto found = kept().find({account.value, relations_version})) return found;
    auto made = std::make_shared<const Ids>(db.all(ids_of_followed_tags, account));
    if (db.is_committed())
        kept().put({account.value, relations_version}, made, made->size() * sizeof(base::TagId));
    return made;
}

const db::Command drop_own_tag_follows{
    "drop_own_tag_follows",
    R"(DELETE FROM tag_follows WHERE account_id = $1 AND id IN (
           SELECT id FROM tag_follows WHERE account_id = $1 ORDER BY id LIMIT $2))"
};

}  // namespace tags

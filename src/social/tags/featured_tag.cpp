// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/tags/featured_tag.hpp"

#include "base/text/hashtag.hpp"

namespace tags {

#define FEATURED                                                                                   \
    "SELECT f.id, f.name, t.name AS tag, f.statuses_count, f.last_status_at FROM featured_tags f " \
    "JOIN tags t ON t.id = f.tag_id WHERE f.account_id = $1 "

const db::Query<Featured> featured_tags_of{
    "featured_tags_of", FEATURED "ORDER BY f.statuses_count DESC, f.id"
};

std::vector<Featured> featured(db::Read& db, AccountId account) { return db.all(featured_tags_of, account); }

const db::Query<Featured> featured_tag_by_id{"featured_tag_by_id", FEATURED "AND f.id = $2"};

std::optional<Featured> find_featured(db::Read& db, AccountId account, FeaturedTagId id) {
    return db.maybe(featured_tag_by_id, account, id);
}

// The tables statuses and status_tags belong to statuses, here and below.
#define UNDER_TAG(ACCOUNT, TAG)                             \
    "FROM statuses s WHERE s.account_id = " ACCOUNT         \
    " AND s.deleted_at IS NULL AND (s.relations & 2) <> 0 " \
    "AND s.visibility IN ('public', 'unlisted') "           \
    "AND EXISTS (SELECT 1 FROM status_tags x WHERE x.tag_id = " TAG " AND x.status_id = s.id) "

const db::Query<Usage> usage_of_tag{
    "usage_of_tag",
    "SELECT CAST(count(*) AS BIGINT) AS statuses, max(s.created_at) AS last " UNDER_TAG("$1", "$2")
};

Usage usage(db::Read& db, AccountId account, std::string_view name) {
    auto tag = find_tag(db, name);
    return tag ? db.one(usage_of_tag, account, tag->id) : Usage{};
}

const db::Query<FeaturedTagId> featured_tag_of_pair{
    "featured_tag_of_pair", "SELECT id FROM featured_tags WHERE account_id = $1 AND tag_id = $2"
};
const db::Query<bool> tag_is_usable{"tag_is_usable", "SELECT usable FROM tags WHERE id = $1"};
const db::Command insert_featured_tag{
    "insert_featured_tag",
    R"(INSERT INTO featured_tags (id, account_id, tag_id, name, statuses_count, last_status_at)
       VALUES ($1, $2, $3, $4, $5, $6))"
};

Feature feature(db::Write& db, AccountId me, std::string_view name, const Usage& so_far) {
    constexpr std::size_t most = 10;
    auto normal = base::text::normalise_hashtag(name);
    auto tag = put(db, normal, name);
    if (auto already = db.maybe(featured_tag_of_pair, me, tag)) return {*already, tag};
    if (!db.one(tag_is_usable, tag)) throw base::Invalid("Validation failed: Tag is not usable");
    if (featured(db, me).size() >= most)
        throw base::Invalid("Validation failed: You have already featured the maximum number of hashtags");
    auto id = db.new_id<FeaturedTagId>();
    db.run(insert_featured_tag, id, me, tag, name, so_far.statuses, so_far.last);
    db.emit(TagFeatured{me, std::string(name), normal});
    return {id, tag};
}

const db::Command delete_featured_tag{
    "delete_featured_tag", "DELETE FROM featured_tags WHERE account_id = $1 AND id = $2"
};
void unfeature(db::Write& db, AccountId me, std::string_view name) {
    auto tag = find_tag(db, name);
    if (!tag) return;
    if (auto id = db.maybe(featured_tag_of_pair, me, tag->id)) unfeature(db, me, *id);
}

void unfeature(db::Write& db, AccountId me, FeaturedTagId id) {
    auto known = find_featured(db, me, id);
    if (!known) throw base::NotFound();
    db.run(delete_featured_tag, me, id);
    db.emit(TagUnfeatured{me, known->name, known->tag});
}

const db::Command count_featured_status{
    "count_featured_status",
    R"(UPDATE featured_tags SET statuses_count = statuses_count + 1, last_status_at = COALESCE(
           (SELECT s.created_at FROM statuses s WHERE s.id = $3 AND (featured_tags.last_status_at IS NULL
               OR s.created_at > featured_tags.last_status_at)), last_status_at)
       WHERE account_id = $1 AND tag_id = $2)"
};

void count_status(db::Write& db, AccountId account, base::TagId tag, StatusId status) {
    db.run_last(count_featured_status, account, tag, status);
}

#define ONE_STATUS_LESS                                                                  \
    "UPDATE featured_tags SET "                                                          \
    "statuses_count = CASE WHEN statuses_count > 0 THEN statuses_count - 1 ELSE 0 END, " \
    "last_status_at = (SELECT s.created_at " UNDER_TAG(                                  \
        "$1", "featured_tags.tag_id"                                                     \
    ) "ORDER BY s.id DESC LIMIT 1) WHERE account_id = $1 "

const db::Command uncount_featured_tag{"uncount_featured_tag", ONE_STATUS_LESS "AND tag_id = $2"};

void uncount_status(db::Write& db, AccountId account, base::TagId tag) {
    db.run(uncount_featured_tag, account, tag);
}

const db::Command uncount_featured_status{
    "uncount_featured_status",
    ONE_STATUS_LESS
    "AND tag_id IN (SELECT x.tag_id FROM status_tags x JOIN statuses s ON s.id = x.status_id "
    "WHERE x.status_id = $2 AND s.visibility IN ('public', 'unlisted'))"
};

void uncount_status(db::Write& db, AccountId account, StatusId status) {
    db.run(uncount_featured_status, account, status);
}

const db::Query<Tag> often_used_tags{
    "often_used_tags",
    R"(SELECT t.id, t.name, t.display_name
       FROM (SELECT id FROM statuses WHERE account_id = $1 AND deleted_at IS NULL AND created_at > $2
             ORDER BY id DESC LIMIT 1000) s
       JOIN status_tags x ON x.status_id = s.id JOIN tags t ON t.id = x.tag_id
       WHERE t.usable = TRUE
         AND NOT EXISTS (SELECT 1 FROM featured_tags f WHERE f.account_id = $1 AND f.tag_id = t.id)
       GROUP BY t.id, t.name, t.display_name HAVING count(*) > 1 ORDER BY count(*) DESC, t.name LIMIT 10)"
};

std::vector<Tag> suggestions(db::Read& db, AccountId account) {
    constexpr std::int64_t year = 365 * 86'400;
    return db.all(often_used_tags, account, db.now().plus_seconds(-year));
}

std::string tagged_page(std::string_view profile, std::string_view name) {
    return std::string(profile) + "/tagged/" + base::text::hashtag_in_address(name);
}

std::vector<FeaturedTagEntity> entities(
    const base::Site& site, const accounts::Account& owner, const std::vector<Featured>& featured
) {
    std::vector<FeaturedTagEntity> out;
    auto profile = accounts::url_of(site, owner);
    for (const auto& f : featured)
        out.push_back(
            {f.id, f.name, tagged_page(profile, f.tag), std::to_string(f.statuses_count), f.last_status_at}
        );
    return out;
}

const db::Command drop_own_featured_tags{
    "drop_own_featured_tags",
    R"(DELETE FROM featured_tags WHERE account_id = $1 AND id IN (
           SELECT id FROM featured_tags WHERE account_id = $1 ORDER BY id LIMIT $2))"
};

}  // namespace tags

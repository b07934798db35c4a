// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/tags/tag.hpp"

#include "base/text/hashtag.hpp"

namespace tags {

const db::Query<Tag> tag_by_name{"tag_by_name", "SELECT id, name, display_name FROM tags WHERE name = $1"};

std::optional<Tag> find_tag(db::Read& db, std::string_view name) {
    return db.maybe(tag_by_name, base::text::normalise_hashtag(name));
}

const db::Query<Tag> tags_between{
    "tags_between",
    "SELECT id, name, display_name FROM tags WHERE name >= $1 AND name < $2 ORDER BY name LIMIT $3 OFFSET $4"
};

std::vector<Tag> starting_with(db::Read& db, std::string_view prefix, int limit, int offset) {
    if (prefix.starts_with('#')) prefix.remove_prefix(1);
    auto from = base::text::normalise_hashtag(prefix);
    if (from.empty()) return {};
    return db.all(tags_between, from, from + "\xF4\x8F\xBF\xBF", limit, offset);
}

const db::Command insert_tag{
    "insert_tag",
    "INSERT INTO tags (id, name, display_name, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (name) DO "
    "NOTHING"
};

base::TagId put(db::Write& db, std::string_view name, std::string_view display_name) {
    if (auto found = db.maybe(tag_by_name, name)) return found->id;
    db.run(insert_tag, db.new_id<base::TagId>(), name, display_name, db.now());
    return db.one(tag_by_name, name).id;
}

}  // namespace tags

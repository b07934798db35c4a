// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/tags/tag.hpp"

#include "base/text/hashtag.hpp"

#include <algorithm>

namespace tags {

const db::Query<Tag> tag_by_name{"tag_by_name", "SELECT id, name, display_name FROM tags WHERE name = $1"};

std::optional<Tag> find_tag(db::Read& db, std::string_view name) {
    return db.maybe(tag_by_name, base::text::normalise_hashtag(name));
}

const db::Query<Tag> tag_by_id{"tag_by_id", "SELECT id, name, display_name FROM tags WHERE id = $1"};

Tag tag(db::Read& db, base::TagId id) { return db.one(tag_by_id, id); }

bool valid_name(std::string_view name) {
    constexpr std::size_t most_bytes = 1000;
    return name.size() <= most_bytes && base::text::valid_hashtag(name) &&
           base::text::valid_hashtag(base::text::normalise_hashtag(name));
}

std::string checked_name(std::string_view name) {
    if (!valid_name(name)) throw base::NotFound("Not Found");
    return base::text::normalise_hashtag(name);
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

const db::Query<Tag> tags_by_name{
    "tags_by_name",
    "SELECT id, name, display_name FROM tags WHERE name IN (SELECT value FROM list($1))",
    "SELECT id, name, display_name FROM tags WHERE name = ANY((SELECT $1::text[])::text[])"
};

namespace {

std::vector<std::string> names_of(const std::vector<std::pair<std::string, std::string>>& named) {
    std::vector<std::string> names;
    for (const auto& [name, display] : named) names.push_back(name);
    return names;
}

}  // namespace

void expect_all(db::Read& db, const std::vector<std::pair<std::string, std::string>>& named) {
    if (!named.empty()) db.expect(tags_by_name, names_of(named));
}

std::vector<base::TagId> put_all(
    db::Write& db, const std::vector<std::pair<std::string, std::string>>& named
) {
    const auto names = names_of(named);
    std::vector<base::TagId> out;
    if (names.empty()) return out;
    const auto known = db.all(tags_by_name, names);
    for (const auto& [name, display] : named) {
        auto found = std::ranges::find(known, name, &Tag::name);
        out.push_back(found != known.end() ? found->id : put(db, name, display));
    }
    return out;
}

const db::Command count_use{
    "count_use",
    R"(INSERT INTO tag_uses (tag_id, day, account_id) SELECT id, $2, $3 FROM tags WHERE id = $1 AND usable = TRUE
       ON CONFLICT (tag_id, day, account_id) DO UPDATE SET uses = tag_uses.uses + 1)"
};

void note_use(db::Write& db, base::TagId tag, base::AccountId account) {
    db.run_last(count_use, tag, db.now().midnight(), account);
}

const db::Query<DayOfUse> uses_of_tags{
    "uses_of_tags",
    R"(SELECT tag_id, day, CAST(sum(uses) AS BIGINT) AS uses, CAST(count(*) AS BIGINT) AS accounts FROM tag_uses
       WHERE tag_id IN LIST($1) AND day >= $2 GROUP BY tag_id, day)"
};

std::vector<DayOfUse> uses(db::Read& db, const std::vector<base::TagId>& tags, base::Time since) {
    return db.all(uses_of_tags, tags, since.midnight());
}

const db::Command purge_tag_uses{
    "purge_tag_uses",
    R"(DELETE FROM tag_uses WHERE (tag_id, day, account_id) IN (
           SELECT tag_id, day, account_id FROM tag_uses WHERE day < $1 ORDER BY day LIMIT 500))"
};

void purge_uses(db::Write& db) {
    constexpr std::int64_t kept = 14 * 86'400;
    db.run(purge_tag_uses, db.now().plus_seconds(-kept).midnight());
}

}  // namespace tags

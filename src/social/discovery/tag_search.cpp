// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/search.hpp"

#include "base/text/hashtag.hpp"

namespace discovery {

// For a very short prefix only the first thousand names are ranked. The tables tags and tag_uses belong to
// tags.
const db::Query<tags::Tag> tags_beginning_with{
    "tags_beginning_with",
    R"(SELECT t.id, t.name, t.display_name FROM (
           SELECT id, name, display_name FROM tags WHERE name >= $1 AND name < $2 AND listable = TRUE
             AND ($3 = FALSE OR name = $1 OR EXISTS (SELECT 1 FROM trend_reviews r
                                        WHERE r.kind = 'tag' AND r.subject_id = tags.id AND r.reviewed_at IS NOT NULL))
           ORDER BY name LIMIT 1000) t
       ORDER BY CASE WHEN t.name = $1 THEN 0 ELSE 1 END,
           (SELECT COALESCE(SUM(u.uses), 0) FROM tag_uses u WHERE u.tag_id = t.id AND u.day >= $4) DESC, t.name
       LIMIT $5 OFFSET $6)"
};

std::vector<tags::Tag> find_tags(db::Read& db, const TagSearch& asked) {
    constexpr std::int64_t week = 7 * 86'400;
    std::string_view prefix = asked.prefix;
    if (prefix.starts_with('#')) prefix.remove_prefix(1);
    auto from = base::text::normalise_hashtag(prefix);
    if (from.empty()) return {};
    auto since = db.now().midnight().plus_seconds(-week);
    auto to = from + "\xF4\x8F\xBF\xBF";
    return db.all(tags_beginning_with, from, to, asked.reviewed, since, asked.limit, asked.offset);
}

}  // namespace discovery

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/tags/tag_languages.hpp"

namespace tags {

namespace {

constexpr std::int64_t day_ms = 86'400'000, kept_days = 100;

std::int64_t oldest_day(const db::Read& db) { return db.now().midnight().ms / day_ms - kept_days; }

}  // namespace

// The tables statuses and status_tags belong to statuses, uncounted to insight.
#define AND_POSTS \
    " ON CONFLICT (tag_id, day, language) DO UPDATE SET posts = tag_language_days.posts + excluded.posts"

// The id of a new post may be in the range that the job counting older posts has yet to reach.
const db::Command count_language_of_tag{
    "count_language_of_tag",
    "INSERT INTO tag_language_days (tag_id, day, language, posts) "
    "SELECT CAST($1 AS BIGINT), s.created_at / 86400000, COALESCE(s.language, ''), 1 FROM statuses s "
    "WHERE s.id = $2 AND s.id >= $3 "
    "AND NOT EXISTS (SELECT 1 FROM uncounted u WHERE u.kind = 'tagged' AND u.up_to >= s.id)" AND_POSTS
};
const db::Command count_past_languages{
    "count_past_languages",
    "INSERT INTO tag_language_days (tag_id, day, language, posts) "
    "SELECT tag_id, day, language, count(*) FROM ("
    "SELECT t.tag_id, s.created_at / 86400000 AS day, COALESCE(s.language, '') AS language "
    "FROM statuses s JOIN status_tags t ON t.status_id = s.id WHERE s.id >= $1 AND s.id <= $2) chunk "
    "WHERE TRUE GROUP BY tag_id, day, language" AND_POSTS
};
const db::Query<LanguageOfTag> languages_between{
    "languages_between",
    R"(SELECT tag_id, language, CAST(sum(posts) AS BIGINT) AS posts FROM tag_language_days
       WHERE tag_id IN LIST($1) AND day >= $2 AND day < $3
       GROUP BY tag_id, language ORDER BY posts DESC, language)"
};
const db::Command purge_tag_languages{
    "purge_tag_languages",
    R"(DELETE FROM tag_language_days WHERE (tag_id, day, language) IN (
           SELECT tag_id, day, language FROM tag_language_days WHERE day < $1 ORDER BY day LIMIT 500))"
};

void count_language(db::Write& db, base::TagId tag, base::StatusId post) {
    db.run_last(count_language_of_tag, tag, post, first_with_languages(db));
}

std::vector<LanguageOfTag> languages_of_tags(
    db::Read& db, const std::vector<base::TagId>& tags, std::int64_t first, std::int64_t beyond
) {
    return db.all(languages_between, tags, first, beyond);
}

base::StatusId first_with_languages(const db::Read& db) { return {(oldest_day(db) * day_ms) << 16}; }

void purge_languages(db::Write& db) { db.run(purge_tag_languages, oldest_day(db)); }

}  // namespace tags

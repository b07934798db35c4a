// SPDX-License-Identifier: AGPL-3.0-or-later
// The languages in which a hashtag is used, counted by the day of the posts (table tag_language_days), so
// that queries need not scan the posts. Later edits and deletions do not reduce the counts; an edit that
// restores the hashtag counts again. Kept for 100 days.
#pragma once
#include "base/json.hpp"
#include "db/session.hpp"

namespace tags {

// The post has the tag from now on.
void count_language(db::Write&, base::TagId, base::StatusId);

struct LanguageOfTag {
    base::TagId tag_id;
    std::string language;  // empty: posts without a language
    std::int64_t posts = 0;
};
DESCRIBE(LanguageOfTag, tag_id, language, posts)
// Days since 1970, `beyond` excluded; most posts first.
std::vector<LanguageOfTag> languages_of_tags(
    db::Read&, const std::vector<base::TagId>&, std::int64_t first, std::int64_t beyond
);

// Counts posts with ids from $1 to $2 that are older than the counts (insight/counted_days.hpp).
extern const db::Command count_past_languages;
// Counts of posts with smaller ids would be purged at once.
base::StatusId first_with_languages(const db::Read&);
// Deletes old days, some hundred rows at a time.
void purge_languages(db::Write&);

}  // namespace tags

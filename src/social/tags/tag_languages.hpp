// SPDX-License-Identifier: AGPL-3.0-or-later
// In which languages a hashtag is written, counted by the day of the posts (table tag_language_days), so that nobody goes through
// them who asks. What is edited or removed later stays counted, and counts again when an edit brings the hashtag back. Kept for a hundred days.
#pragma once
#include "base/json.hpp"
#include "db/session.hpp"

namespace tags {

// The post has the tag from now on.
void count_language(db::Write&, base::TagId, base::StatusId);

struct LanguageOfTag {
    base::TagId tag_id;
    std::string language;  // empty: posts that tell none
    std::int64_t posts = 0;
};
DESCRIBE(LanguageOfTag, tag_id, language, posts)
// On days since 1970, the last one not among them; most posts first.
std::vector<LanguageOfTag> languages_of_tags(
    db::Read&, const std::vector<base::TagId>&, std::int64_t first, std::int64_t beyond
);

// Counts posts by their numbers, $1 to $2, that were there before anything was counted (insight/counted_days.hpp).
extern const db::Command count_past_languages;
// Those of posts with a lower number would be forgotten at once.
base::StatusId first_with_languages(const db::Read&);
// Forgets days, some hundred rows at a time.
void purge_languages(db::Write&);

}  // namespace tags

// SPDX-License-Identifier: AGPL-3.0-or-later
// A user's defaults for posting and reading, and their language.
#pragma once
#include "db/session.hpp"

namespace accounts {

struct PostingDefaults {
    std::optional<std::string> privacy;  // nullopt: never chosen, see usual_privacy
    bool sensitive = false;
    std::optional<std::string> language;
    std::string quote_policy, reply_policy, locale, expand_media;
    bool expand_spoilers = false, autoplay_gifs = false;
};
DESCRIBE(
    PostingDefaults, privacy, sensitive, language, quote_policy, reply_policy, locale, expand_media,
    expand_spoilers, autoplay_gifs
)

PostingDefaults posting_defaults(db::Read&, base::UserId);

// The API's name for the visibility of new posts: as chosen, else private for a locked account.
inline std::string usual_privacy(const std::optional<std::string>& chosen, bool locked) {
    return chosen.value_or(locked ? "private" : "public");
}

// Values that are not given stay unchanged.
struct PostingChanges {  // an empty language: none
    std::optional<std::string> privacy, language, quote_policy, reply_policy;
    std::optional<bool> sensitive;
};
void change_posting_defaults(db::Write&, base::UserId, const PostingChanges&);

// The language of the user interface, as clients name it ("zh-CN"); empty: the one that their browser
// requests.
void change_locale(db::Write&, base::UserId, std::string_view locale);

// The languages in which a user wants to see public statuses.
std::vector<std::string> chosen_languages(db::Read&, base::UserId);  // codes; empty: all

}  // namespace accounts

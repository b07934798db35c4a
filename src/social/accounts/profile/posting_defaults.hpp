// SPDX-License-Identifier: AGPL-3.0-or-later
// What a login chose as defaults for posting and reading, and as its language.
#pragma once
#include "db/session.hpp"

namespace accounts {

struct PostingDefaults {
    std::optional<std::string> privacy;  // nothing: never chosen, see usual_privacy
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

// The visibility of new posts as the API names it: the chosen one, else private for a locked account.
inline std::string usual_privacy(const std::optional<std::string>& chosen, bool locked) {
    return chosen.value_or(locked ? "private" : "public");
}

// What is not given stays as it is.
struct PostingChanges {  // an empty language: none
    std::optional<std::string> privacy, language, quote_policy, reply_policy;
    std::optional<bool> sensitive;
};
void change_posting_defaults(db::Write&, base::UserId, const PostingChanges&);

// The language in which the server speaks to a user, as apps call it ("zh-CN"); empty: the one that their browser asks for.
void change_locale(db::Write&, base::UserId, std::string_view locale);

// The languages that a user wants to see public statuses in.
std::vector<std::string> chosen_languages(db::Read&, base::UserId);  // codes; empty: all

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/profile/posting_defaults.hpp"

namespace accounts {

const db::Query<PostingDefaults> user_posting_defaults{
    "user_posting_defaults",
    R"(SELECT default_privacy AS privacy, default_sensitive AS sensitive, default_language AS language,
              default_quote_policy AS quote_policy, default_reply_policy AS reply_policy, locale, expand_media, expand_spoilers, autoplay_gifs
       FROM users WHERE id = $1)"
};

PostingDefaults posting_defaults(db::Read& db, base::UserId user) {
    return db.one(user_posting_defaults, user);
}

const db::Command update_posting_defaults{
    "update_posting_defaults",
    R"(UPDATE users SET default_privacy = COALESCE(CAST($2 AS TEXT), default_privacy),
           default_sensitive = COALESCE(CAST($3 AS BOOLEAN), default_sensitive),
           default_language = NULLIF(COALESCE(CAST($4 AS TEXT), default_language), ''),
           default_quote_policy = COALESCE(CAST($5 AS TEXT), default_quote_policy),
           default_reply_policy = COALESCE(CAST($6 AS TEXT), default_reply_policy) WHERE id = $1)"
};

void change_posting_defaults(db::Write& db, base::UserId user, const PostingChanges& changes) {
    db.run(
        update_posting_defaults,
        user,
        changes.privacy,
        changes.sensitive,
        changes.language,
        changes.quote_policy,
        changes.reply_policy
    );
}

const db::Command update_locale{"update_locale", "UPDATE users SET locale = $2 WHERE id = $1"};

void change_locale(db::Write& db, base::UserId user, std::string_view locale) {
    db.run(update_locale, user, locale);
}

}  // namespace accounts

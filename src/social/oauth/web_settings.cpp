// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/session.hpp"

namespace oauth {

namespace {

constexpr std::size_t longest = 64 << 10;

}  // namespace

const db::Command put_web_settings{
    "put_web_settings",
    R"(INSERT INTO web_settings (user_id, data) VALUES ($1, $2)
       ON CONFLICT (user_id) DO UPDATE SET data = excluded.data)"
};

void save_web_settings(db::Write& db, base::UserId user, std::string_view json) {
    if (json.size() > longest) throw base::Invalid("Validation failed: Data is too long");
    db.run(put_web_settings, user, json);
}

const db::Query<std::string> saved_web_settings{
    "saved_web_settings", "SELECT data FROM web_settings WHERE user_id = $1"
};

std::string web_settings(db::Read& db, base::UserId user) {
    return db.maybe(saved_web_settings, user).value_or("{}");
}

const db::Command delete_web_settings{"delete_web_settings", "DELETE FROM web_settings WHERE user_id = $1"};

void forget_web_settings(db::Write& db, const accounts::UserRemoved& event) {
    db.run(delete_web_settings, event.user);
}

}  // namespace oauth

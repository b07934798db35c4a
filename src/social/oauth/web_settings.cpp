// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/session.hpp"

#include "base/text/spoken_languages.hpp"
#include "social/accounts/profile/posting_defaults.hpp"

#include <boost/json.hpp>

namespace oauth {

namespace {

constexpr std::size_t longest = 64 << 10;

// {"dunlin": {"language": "pl"}}; empty where the client follows the browser.
std::string chosen_language(std::string_view settings) {
    boost::system::error_code broken;
    auto all = boost::json::parse({settings.data(), settings.size()}, broken);
    if (broken) return {};
    auto found = all.find_pointer("/dunlin/language", broken);
    return found && found->is_string() ? std::string(std::string_view(found->get_string())) : std::string();
}

// What is chosen in the client holds for refusals, pages and letters, too. What an app chose at sign-up stays until then.
void follow_language(db::Write& db, base::UserId user, std::string_view before, std::string_view now) {
    auto chosen = chosen_language(now);
    if (chosen == chosen_language(before)) return;
    const auto* spoken = base::text::find_spoken(chosen);
    if (spoken || chosen.empty()) accounts::change_locale(db, user, spoken ? spoken->locale : chosen);
}

}  // namespace

const db::Command put_web_settings{
    "put_web_settings",
    R"(INSERT INTO web_settings (user_id, data) VALUES ($1, $2)
       ON CONFLICT (user_id) DO UPDATE SET data = excluded.data)"
};

const db::Query<std::string> saved_web_settings{
    "saved_web_settings", "SELECT data FROM web_settings WHERE user_id = $1"
};

std::string web_settings(db::Read& db, base::UserId user) {
    return db.maybe(saved_web_settings, user).value_or("{}");
}

void save_web_settings(db::Write& db, base::UserId user, std::string_view json) {
    if (json.size() > longest) throw base::Invalid("Validation failed: Data is too long");
    follow_language(db, user, web_settings(db, user), json);
    db.run(put_web_settings, user, json);
}

const db::Command delete_web_settings{"delete_web_settings", "DELETE FROM web_settings WHERE user_id = $1"};

void forget_web_settings(db::Write& db, const accounts::UserRemoved& event) {
    db.run(delete_web_settings, event.user);
}

}  // namespace oauth

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/profile/posting_defaults.hpp"

#include "base/json_read.hpp"

namespace accounts {

const db::Query<std::string> chosen_languages_of{
    "chosen_languages_of", "SELECT chosen_languages FROM users WHERE id = $1 AND chosen_languages IS NOT NULL"
};

std::vector<std::string> chosen_languages(db::Read& db, base::UserId user) {
    auto chosen = db.maybe(chosen_languages_of, user);
    return chosen ? base::json::read<std::vector<std::string>>(*chosen) : std::vector<std::string>();
}

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/roles.hpp"

#include "config/config.hpp"

namespace server {

base::RoleId role_named(std::string_view word) {
    if (word.empty()) return accounts::everyone;
    for (auto [known, id] : role_words)
        if (word == known) return id;
    throw ConfigError(
        "There is no role \"" + std::string(word) + "\"; choose user, moderator, admin or owner"
    );
}

std::string word_of(base::RoleId role) {
    for (auto [word, id] : role_words)
        if (role == id) return std::string(word);
    return "role " + std::to_string(role.value);
}

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
// The predefined roles, by their names on the command line.
#pragma once
#include "social/accounts/users/user.hpp"

#include <string>
#include <string_view>

namespace server {

inline constexpr std::pair<std::string_view, base::RoleId> role_words[] = {
    {"user", accounts::everyone},
    {"moderator", accounts::moderator},
    {"admin", accounts::admin},
    {"owner", accounts::owner},
};

base::RoleId role_named(std::string_view word);  // empty: user; throws ConfigError
std::string word_of(base::RoleId);               // "role 7" for one created later

}  // namespace server

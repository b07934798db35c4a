// SPDX-License-Identifier: AGPL-3.0-or-later
// What the official web client wants remembered about its user: JSON that only it understands.
#pragma once
#include "db/session.hpp"
#include "social/accounts/users/access.hpp"

namespace oauth {

void save_web_settings(
    db::Write&, base::UserId, std::string_view json
);                                                                   // throws Invalid when it is too long
void forget_web_settings(db::Write&, const accounts::UserRemoved&);  // a reaction

}  // namespace oauth

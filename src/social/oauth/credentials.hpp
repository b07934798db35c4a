// SPDX-License-Identifier: AGPL-3.0-or-later
// What a bearer token stands for: one query, because it runs for every request.
#pragma once
#include "db/session.hpp"
#include "http/viewer.hpp"

namespace oauth {

struct Known : http::Credentials {
    bool noted = true;  // false: its last use is to be written down, see note_use
};

Known look_up(db::Read&, std::string_view token);
inline http::Credentials credentials(db::Read& db, std::string_view token) { return look_up(db, token); }

// Writes down, at most once a day, that the token was used and its user is active.
void note_use(db::Write&, const http::TokenHolder&);

}  // namespace oauth

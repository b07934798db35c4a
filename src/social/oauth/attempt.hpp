// SPDX-License-Identifier: AGPL-3.0-or-later
// Somebody has given the right password and is yet to show the second factor. They are not signed in; a cookie of its own
// says who they are, for ten minutes and a few wrong codes.
#pragma once
#include "db/session.hpp"

#include <string>
#include <string_view>

namespace oauth {

struct Attempt {
    base::UserId user;
    std::string return_to;
    bool adds = false, shared = false;  // as in SigningIn
    std::int64_t wrong = 0;
};
DESCRIBE(Attempt, user, return_to, adds, shared, wrong)

constexpr std::int64_t attempt_lasts_seconds = 600, most_wrong = 5;

std::string begin_attempt(db::Write&, const Attempt&);  // its secret
// Nothing when it is over, by time or by wrong codes.
std::optional<Attempt> find_attempt(db::Read&, std::string_view secret);
// One more wrong code; the last one is told to the user, as somebody knows the password.
void note_wrong_code(db::Write&, std::string_view secret, std::string_view address);
void end_attempt(db::Write&, std::string_view secret);

}  // namespace oauth

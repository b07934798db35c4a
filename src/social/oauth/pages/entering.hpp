// SPDX-License-Identifier: AGPL-3.0-or-later
// The last steps of every sign-in by a person: nobody gets a session otherwise than here, but for who has just made their
// account or changed their password.
#pragma once
#include "social/oauth/pages/page.hpp"

namespace oauth {

// Why this login may not be used now; empty: it may. Said only to those who have shown that it is theirs.
std::string_view obstacle(db::Read&, const accounts::User&);

// The password was right. It alone signs in only who has nothing else; others are asked for the second factor.
http::Response after_password(db::Write&, const http::Request&, const SigningIn&, std::string_view return_to);

// Begins the session and leads on: to where somebody was going or, when their role asks for a second factor and there is
// none, to where it is set up. Whom staff has shut out sees why, and nothing else.
http::Response enter(db::Write&, const http::Request&, const SigningIn&, std::string_view return_to);

// Where a login is led that lacks the second factor its role asks for.
constexpr const char* set_up_first = "/settings/account/second_factor";
// Where staff's decisions about an account are read and appealed against.
constexpr const char* decisions = "/settings/account/strikes";

}  // namespace oauth

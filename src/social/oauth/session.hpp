// SPDX-License-Identifier: AGPL-3.0-or-later
// Web sessions: who is signed in on our own pages. The cookie holds the secret, the row its SHA-256.
#pragma once
#include "db/session.hpp"
#include "social/accounts/users/access.hpp"

namespace oauth {

struct Person {
    base::SessionId session;
    base::UserId user;
    base::AccountId account;
    std::string username;
};
DESCRIBE(Person, session, user, account, username)

// Nobody when the session is unknown or a year old, or when its user may not sign in (any more).
std::optional<Person> find_person(db::Read&, std::string_view secret);

// Always a new secret, so that nobody can prepare a session for somebody else. Returns it.
std::string begin_session(db::Write&, base::UserId, std::string_view address, std::string_view user_agent);
void end_session(db::Write&, base::SessionId);

// What the official web client wants remembered about its user: JSON that only it understands.
void save_web_settings(
    db::Write&, base::UserId, std::string_view json
);                                                                   // throws Invalid when it is too long
void forget_web_settings(db::Write&, const accounts::UserRemoved&);  // a reaction

}  // namespace oauth

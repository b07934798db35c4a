// SPDX-License-Identifier: AGPL-3.0-or-later
// Web sessions: who is signed in on our own pages, and what their scripts may do over the API. The cookie holds the
// secrets, of up to five accounts, the rows their SHA-256.
#pragma once
#include "db/session.hpp"
#include "social/accounts/users/access.hpp"
#include "social/oauth/token.hpp"

namespace oauth {

struct Person {
    base::SessionId session;
    base::UserId user;
    base::AccountId account;
    std::string username;
    std::string locale;       // the language that they chose; empty: none
    base::TokenId token;      // of scripts on our pages
    base::Time confirmed_at;  // when the password was last given
    // The role asks for a second factor and there is none: nothing is open but the page where it is set up.
    bool needs_second_factor = false;
    // Staff has suspended the account or frozen the login: nothing is open but what was decided, and the appeal.
    bool shut_out = false;
};
DESCRIBE(Person, session, user, account, username, locale, token, confirmed_at, needs_second_factor, shut_out)

// Nobody when the session is unknown or a year old, or when its user may not sign in (any more).
std::optional<Person> find_person(db::Read&, std::string_view secret);
// The same, and those whom staff has shut out: for the pages that are open to them alone.
std::optional<Person> find_person_or_shut_out(db::Read&, std::string_view secret);

// Always a new secret, so that nobody can prepare a session for somebody else. Returns it.
std::string begin_session(db::Write&, base::UserId, std::string_view address, std::string_view user_agent);
void end_session(db::Write&, base::SessionId);

// Where somebody is signed in, for them to see.
struct OpenSession {
    base::SessionId id;
    std::string address, user_agent;
    base::Time created_at;
    std::optional<base::Time> last_used_at;
};
DESCRIBE(OpenSession, id, address, user_agent, created_at, last_used_at)
std::vector<OpenSession> sessions_of(db::Read&, base::UserId);  // the latest first
void confirm_session(db::Write&, base::SessionId);              // the password was given again

// What a session with this secret stands for on the API.
Known look_up_session(db::Read&, std::string_view secret);
// What scripts show beside the cookie: made with another word than the proof of forms, so that neither serves as the
// other. What is written into answers is masked anew each time, so that their compressed size tells nothing of it.
std::string proof_for_scripts(std::string_view secret);
std::string masked_proof(std::string_view secret);
bool is_proof(std::string_view secret, std::string_view given);  // masked or not

// What the official web client wants remembered about its user: JSON that only it understands, but for the language that was
// chosen in it, which becomes that of the user.
void save_web_settings(
    db::Write&, base::UserId, std::string_view json
);                                                                   // throws Invalid when it is too long
std::string web_settings(db::Read&, base::UserId);                   // {} when nothing was saved
void forget_web_settings(db::Write&, const accounts::UserRemoved&);  // a reaction

}  // namespace oauth

// SPDX-License-Identifier: AGPL-3.0-or-later
// Who looks at a page, told by cookies, and the proof that a form comes from a page of ours: an HMAC keyed with
// the secret in the session cookie or, before sign-in, in a visitor cookie.
#pragma once
#include "base/site.hpp"
#include "http/message.hpp"
#include "social/accounts/users/user.hpp"
#include "social/oauth/cookies.hpp"
#include "social/oauth/session.hpp"

namespace oauth {

struct Visitor {
    std::optional<Person> person;
    std::string proof;            // what forms carry as authenticity_token
    std::string new_secret;       // of a visitor cookie yet to be set
    std::string language = "en";  // of pages (language.hpp)
    std::string here = "/";       // the address that was asked for
    // What only this server and the cookie know: keys the questions that passkeys answer (challenge.hpp).
    std::string key;
};

Visitor visitor(db::Read&, const http::Request&);
// The same where those are let in, too, whom staff has shut out: Person::shut_out says so.
Visitor visitor_or_shut_out(db::Read&, const http::Request&);
bool is_signed_in(db::Read&, const http::Request&);
std::optional<base::UserId> user_of_page(db::Read&, const http::Request&);  // also of who is shut out
// Nobody, whatever the cookies say, but in their language: for what is shown to whoever has just left.
Visitor stranger(const base::Site&, const http::Request&);
bool has_valid_proof(const Visitor&, std::string_view proof_given);
// Of a script on a page of ours: signed in by its session, or by the proof of forms as X-CSRF-Token. Throws Invalid.
Person person_of_script(db::Read&, const http::Request&, const std::optional<http::Viewer>&);

// A new session, whose secret stands first in the cookie. It takes the place of the one that was first, unless it is
// added to it.
struct SigningIn {
    base::UserId user;
    bool add = false;
    bool shared = false;  // a computer that others use: the browser forgets it when it is closed
};
void sign_in(db::Write&, const http::Request&, http::Response&, const SigningIn&);
// Ends this session and leaves the others of the browser.
void sign_out(db::Write&, const http::Request&, http::Response&, base::SessionId);

// A cookie that outlives the session: it proves that the user has signed in here, until their password changes. Limits
// count such a browser by itself.
void set_known_cookie(http::Response&, const base::Site&, const accounts::User&);
// The proof, when it is of the user who is named so; empty otherwise.
std::string known_browser(db::Read&, const http::Request&, std::string_view email_or_username);

}  // namespace oauth

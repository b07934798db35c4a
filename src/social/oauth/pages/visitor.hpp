// SPDX-License-Identifier: AGPL-3.0-or-later
// Who looks at a page, told by cookies, and the proof that a form comes from a page of ours: an HMAC keyed with
// the secret in the session cookie or, before sign-in, in a visitor cookie.
#pragma once
#include "base/site.hpp"
#include "http/message.hpp"
#include "social/accounts/users/user.hpp"
#include "social/oauth/session.hpp"

namespace oauth {

struct Visitor {
    std::optional<Person> person;
    std::string proof;       // what forms carry as authenticity_token
    std::string new_secret;  // of a visitor cookie yet to be set
};

Visitor visitor(db::Read&, const http::Request&);
bool has_valid_proof(const Visitor&, std::string_view proof_given);
// Of a script on a page of ours, which sends the proof as X-CSRF-Token. Throws Invalid.
Person person_of_script(db::Read&, const http::Request&);

void set_session_cookie(http::Response&, const base::Site&, std::string_view secret);
void clear_session_cookie(http::Response&, const base::Site&);
void set_visitor_cookie(http::Response&, const base::Site&, std::string_view secret);

// A cookie that outlives the session: it proves that the user has signed in here, until their password changes. Limits
// count such a browser by itself.
void set_known_cookie(http::Response&, const base::Site&, const accounts::User&);
// The proof, when it is of the user who is named so; empty otherwise.
std::string known_browser(db::Read&, const http::Request&, std::string_view email_or_username);

}  // namespace oauth

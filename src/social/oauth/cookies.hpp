// SPDX-License-Identifier: AGPL-3.0-or-later
// The cookies of our pages, and the rule by which a session signs in a script of ours on the API.
#pragma once
#include "base/site.hpp"
#include "http/message.hpp"
#include "social/accounts/users/user.hpp"
#include "social/oauth/session.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace oauth {

constexpr std::size_t most_in_browser = 5;  // accounts

// Whether a page of others loads this (a fetch, a picture), rather than lead somebody here. Browsers send our cookies along
// for pages of another port or host of this site; none is looked at, lest the answer tell them who is signed in.
bool is_loaded_by_others(const http::Request&);
// The secrets of the sessions of this browser, those of pages first. Of the form of our secrets, nothing else.
std::vector<std::string_view> session_secrets(const base::Site&, const http::Request&);
// The secret of a visitor who is not signed in; empty without.
std::string_view visitor_secret(const base::Site&, const http::Request&);
std::string_view known_secret(const base::Site&, const http::Request&);
// Of a sign-in that waits for its second factor (attempt.hpp).
std::string_view attempt_secret(const base::Site&, const http::Request&);

// The language that a visitor chose, as it is named in the list of those spoken; empty without.
std::string_view language_cookie(const base::Site&, const http::Request&);

// Whether others use this browser, as somebody said who signed in: it forgets all when it is closed, and the web client keeps
// nothing on it.
bool is_shared_browser(const base::Site&, const http::Request&);
void set_session_cookie(
    http::Response&, const base::Site&, const std::vector<std::string>& secrets, bool shared
);
void clear_session_cookie(http::Response&, const base::Site&);
void set_visitor_cookie(http::Response&, const base::Site&, std::string_view secret);
void set_known_cookie(http::Response&, const base::Site&, std::string_view value);
void set_language_cookie(http::Response&, const base::Site&, std::string_view language);
void set_attempt_cookie(http::Response&, const base::Site&, std::string_view secret);  // empty: none any more

// Whether a script of ours sent it, as far as the browser says: another site can have this browser send our cookies, but
// none of its requests come from here. `surely`: a browser must say so.
bool comes_from_here(const base::Site&, const http::Request&, bool surely);
// Which of these sessions is meant; empty when none is.
std::string_view secret_with_proof(const std::vector<std::string_view>& secrets, std::string_view proof);
// Of the first session that lives, which our pages are shown to. Who changes something looks where the request comes from.
Known page_credentials(db::Read&, const http::Request&);
// Of a request to the API with `Authorization: Session P`, or of the form of a page. Unknown unless everything fits.
Known session_credentials(db::Read&, const http::Request&);
// Of the handshake of a WebSocket, which shows P otherwise.
Known socket_credentials(db::Read&, const http::Request&, std::string_view proof);

}  // namespace oauth

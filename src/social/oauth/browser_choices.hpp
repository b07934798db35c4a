// SPDX-License-Identifier: AGPL-3.0-or-later
// What a browser keeps because somebody asked for it, with an account here or without: where they are at home on another
// server, and whether they want pages without JavaScript. Cookies like the others (cookies.hpp); none is worth more than what
// is typed into a form.
#pragma once
#include "base/site.hpp"
#include "http/message.hpp"

#include <string>
#include <string_view>

namespace oauth {

// "name@domain", as far as it can be one; empty without.
std::string home_cookie(const base::Site&, const http::Request&);
void set_home_cookie(http::Response&, const base::Site&, std::string_view handle);  // empty: forgotten

bool wants_plain_pages(const base::Site&, const http::Request&);
void set_plain_cookie(http::Response&, const base::Site&, bool plain);

}  // namespace oauth

// SPDX-License-Identifier: AGPL-3.0-or-later
// What a browser keeps because somebody asked for it, with an account here or without: where they are at home on another
// server. A cookie like the others (cookies.hpp), and worth no more than what is typed into a form: it is checked as that is
// whenever it comes back, and nobody is led anywhere by it alone. Who asks for nothing has none of it.
#pragma once
#include "base/site.hpp"
#include "http/message.hpp"

#include <string>
#include <string_view>

namespace oauth {

// "name@domain", as far as it can be one; empty without.
std::string home_cookie(const base::Site&, const http::Request&);
void set_home_cookie(http::Response&, const base::Site&, std::string_view handle);  // empty: forgotten

}  // namespace oauth

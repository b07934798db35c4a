// SPDX-License-Identifier: AGPL-3.0-or-later
// In which language pages speak, and the small form in their foot by which it is chosen without JavaScript.
#pragma once
#include "db/session.hpp"
#include "http/message.hpp"
#include "social/instance/html.hpp"

namespace oauth {

// What the reader chose for the account, else in this browser, else what the browser asks for, else that of the site.
std::string reading_language(const base::Site&, const http::Request&, std::string_view locale = {});
std::string reading_language(db::Read&, const http::Request&);  // of who is signed in, or of a visitor

// SPOKEN: all languages, of which one may be chosen already.
void add_languages(instance::View&, std::string_view chosen);
// The form of the foot, which leads back to `here`.
void add_language_choice(instance::View&, std::string_view language, std::string_view here);

// For pages, letters and the web client. Empty: what the browser asks for.
void choose_language(db::Write&, base::UserId, std::string_view code);

}  // namespace oauth

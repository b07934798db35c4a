// SPDX-License-Identifier: AGPL-3.0-or-later
// Translates errors into the caller's language.
#pragma once
#include "base/site.hpp"
#include "http/message.hpp"

#include <string>
#include <string_view>

namespace http {

// The language named by the parameter `lang`, else the user's locale, else Accept-Language, else the site's:
// the first that has a catalogue, else English.
std::string answer_language(
    const Request&, std::string_view lang, std::string_view locale, const base::Site& site
);

// Translates the texts of a response of the form {"error": …}: the error, a nested error, and the details.
// Leaves codes alone, and OAuth errors, whose descriptions must be ASCII (RFC 6749, 5.2).
void translate(Response& refusal, const std::string& language);

}  // namespace http

// SPDX-License-Identifier: AGPL-3.0-or-later
// Refusals in the language of who is refused.
#pragma once
#include "base/site.hpp"
#include "http/message.hpp"

#include <string>
#include <string_view>

namespace http {

// What `lang` (the parameter) names, else the user's locale, else what Accept-Language asks for, else the site's: the first
// of them that there is a catalogue for, else English.
std::string answer_language(
    const Request&, std::string_view lang, std::string_view locale, const base::Site& site
);

// The texts of an answer of shape {"error": …}: of the error, of one that is nested, and of its details. Codes stay, and
// so do the answers of OAuth, whose descriptions are ASCII (RFC 6749, 5.2).
void translate(Response& refusal, const std::string& language);

}  // namespace http

// SPDX-License-Identifier: AGPL-3.0-or-later
// The languages of Dunlin's own texts (errors, mails, pages, the web client), and the choice of one for a
// reader. web/languages.json lists them; each has its catalogues in web/locales and web/words.
#pragma once
#include "base/describe.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace base::text {

struct SpokenLanguage {
    std::string code, name;  // "zh-Hans", and its native name
    std::string locale;      // as used by Mastodon API clients: "zh-CN"
    std::string direction;   // "ltr", "rtl"
};
DESCRIBE(SpokenLanguage, code, name, locale, direction)

const std::vector<SpokenLanguage>& spoken_languages();  // English first
const SpokenLanguage* find_spoken(std::string_view code);
std::string_view direction(std::string_view code);

// The best match for an Accept-Language header, by its q-values; a single language tag ("de-AT", "pt_BR") is
// also accepted. A variant of a language stands in for any other one, except that simplified Chinese answers
// a request for traditional only if nothing else matches. nullopt if nothing does.
std::optional<std::string> best_of(std::span<const std::string> languages, std::string_view wanted);
std::optional<std::string> best_language(std::string_view wanted);  // of those spoken

// Uses the first wish that can be satisfied; empty ones are skipped. English if none can.
std::string language_for(std::initializer_list<std::string_view> wishes);

// "one", "few", …: the CLDR plural category of a number.
std::string plural_form(std::string_view language, std::int64_t number);

}  // namespace base::text

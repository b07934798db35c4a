// SPDX-License-Identifier: AGPL-3.0-or-later
// The languages that Dunlin speaks to people, in refusals, mails, pages and the web client, and which of them somebody reads.
// web/languages.json lists them; each has its catalogues in web/locales and web/words.
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
    std::string code, name;  // "zh-Hans", and what its speakers call it
    std::string locale;      // as apps for the Mastodon API know it: "zh-CN"
    std::string direction;   // "ltr", "rtl"
};
DESCRIBE(SpokenLanguage, code, name, locale, direction)

const std::vector<SpokenLanguage>& spoken_languages();  // English first
const SpokenLanguage* find_spoken(std::string_view code);
std::string_view direction(std::string_view code);

// Which of some languages suits best what an Accept-Language header asks for, in the order of its q-values; a single language
// tag ("de-AT", "pt_BR") will do as well. A variant of a language serves for every other one, except that traditional Chinese is
// answered in simplified characters only where nothing else suits. Nothing when none does.
std::optional<std::string> best_of(std::span<const std::string> languages, std::string_view wanted);
std::optional<std::string> best_language(std::string_view wanted);  // of those spoken

// The first wish that suits is taken; empty ones are none. English when none suits.
std::string language_for(std::initializer_list<std::string_view> wishes);

// "one", "few", …: how this language counts so many, in the words of CLDR.
std::string plural_form(std::string_view language, std::int64_t number);

}  // namespace base::text

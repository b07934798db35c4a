// SPDX-License-Identifier: AGPL-3.0-or-later
// Texts for people, in their language: web/locales/<language>.json holds for each text, which is its English wording,
// the wording in that language. Both name what is filled in, "Cannot attach more than {count} files"; those of other
// languages are ICU message patterns, so that they may have plurals. What a catalogue lacks stays English.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace base::text {

// The languages that there are catalogues for; English is the first.
const std::vector<std::string>& catalogue_languages();

// Which of some languages suits best what an Accept-Language header asks for, q-values and regional variants included; a
// single language tag ("de-AT", "pt_BR") will do as well. Nothing when none suits.
class LanguageChoice {
public:
    explicit LanguageChoice(const std::vector<std::string>& languages);
    std::optional<std::string> best(std::string_view accept_language) const;

private:
    struct Matcher;
    std::shared_ptr<const Matcher> matcher_;
};
std::optional<std::string> best_catalogue(std::string_view accept_language);

// "count" is a number where its text is one.
using Values = std::vector<std::pair<std::string, std::string>>;

// A text of the catalogues with its values filled in.
std::string translated(std::string_view language, std::string_view text, const Values& values);

// The same for a text that is already filled in, in English, as errors are: which text it is, and with which values, is
// found out again. So nothing is carried along where nothing goes wrong.
std::string translated(std::string_view language, std::string_view filled_in);

}  // namespace base::text

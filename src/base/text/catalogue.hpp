// SPDX-License-Identifier: AGPL-3.0-or-later
// Translations: web/locales/<language>.json maps each text, identified by its English wording, to the wording
// in that language. Both name their placeholders, "Cannot attach more than {count} files"; translations are
// ICU message patterns, so that they can have plurals. Texts missing from a catalogue stay English.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace base::text {

// "count" is a number if its text is one.
using Values = std::vector<std::pair<std::string, std::string>>;

// Translates a text of the catalogues and fills in the values.
std::string translated(std::string_view language, std::string_view text, const Values& values);

// The same for an English text that is already filled in, such as an error message: recovers the pattern and
// its values by matching. So errors need not carry them.
std::string translated(std::string_view language, std::string_view filled_in);

}  // namespace base::text

// SPDX-License-Identifier: AGPL-3.0-or-later
// Texts for people, in their language: web/locales/<language>.json holds for each text, which is its English wording,
// the wording in that language. Both name what is filled in, "Cannot attach more than {count} files"; those of other
// languages are ICU message patterns, so that they may have plurals. What a catalogue lacks stays English.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace base::text {

// "count" is a number where its text is one.
using Values = std::vector<std::pair<std::string, std::string>>;

// A text of the catalogues with its values filled in.
std::string translated(std::string_view language, std::string_view text, const Values& values);

// The same for a text that is already filled in, in English, as errors are: which text it is, and with which values, is
// found out again. So nothing is carried along where nothing goes wrong.
std::string translated(std::string_view language, std::string_view filled_in);

}  // namespace base::text

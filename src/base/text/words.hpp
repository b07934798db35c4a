// SPDX-License-Identifier: AGPL-3.0-or-later
// The words of a text as a search index keeps them: compatibility forms, case and accents folded away. What is written
// without spaces (Chinese, Japanese, Korean, Thai …) becomes overlapping pairs of characters, so that a word of two
// characters is found without a dictionary. Texts and queries must go through here alike, on every engine.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace base::text {

// In order. They consist of letters, marks and digits only: no ASCII sign ever stands in one.
std::vector<std::string> words(std::string_view text);

// What a searcher wrote as one: its words stand side by side in the text.
struct Phrase {
    std::vector<std::string> words;
    bool open = false;  // the last one is a single unspaced character: any word that begins with it will do
};
Phrase phrase(std::string_view text);

}  // namespace base::text

// SPDX-License-Identifier: AGPL-3.0-or-later
// Splits text into the words that a search index stores: with compatibility forms, case and accents folded.
// Scripts without spaces (Chinese, Japanese, Korean, Thai …) become overlapping pairs of characters, so that
// a word of two characters is found without a dictionary. Texts and queries must both be split here, on every
// engine.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace base::text {

// In order. Words consist of letters, marks and digits only, never ASCII punctuation.
std::vector<std::string> words(std::string_view text);

// Words that must be adjacent in the text.
struct Phrase {
    std::vector<std::string> words;
    bool open = false;  // the last one is a single unspaced character: a prefix of the word sought
};
Phrase phrase(std::string_view text);

}  // namespace base::text

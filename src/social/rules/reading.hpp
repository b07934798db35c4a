// SPDX-License-Identifier: AGPL-3.0-or-later
// The parts of a post that rules read: its words, and the targets of its links. The HTML is the stored one,
// written by this server: every tag is complete and every attribute quoted, so a simple parser is enough.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rules {

struct NormalizedText {
    std::string text;
    std::string said;  // the text without links
    // Hosts in lower case, and URLs without fragment; without links of mentions, hashtags and quotes.
    std::vector<std::string> links, addresses;
};
NormalizedText read_html(std::string_view html);

// As for a search index, of the first 64 kB; but a word that mixes scripts is read by its appearance.
void each_word(std::string_view text, const std::function<void(std::string_view)>& each);
std::vector<std::string> words_of(std::string_view text);

}  // namespace rules

// SPDX-License-Identifier: AGPL-3.0-or-later
// What rules read of a post: its words, and where its links lead. The HTML is what we keep, written by ourselves: every tag is
// whole and every attribute quoted, so that it need not be parsed as strangers' HTML is.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rules {

struct NormalizedText {
    std::string text;
    std::string said;  // what of it is no link
    // Hosts in lower case, and whole addresses without what follows a #; of mentions, hashtags and quotes none.
    std::vector<std::string> links, addresses;
};
NormalizedText read_html(std::string_view html);

// As a search index has them, of the first 64 kB; but a word in which letters of several scripts stand together is read as it looks.
void each_word(std::string_view text, const std::function<void(std::string_view)>& each);
std::vector<std::string> words_of(std::string_view text);

}  // namespace rules

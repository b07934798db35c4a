// SPDX-License-Identifier: AGPL-3.0-or-later
// Custom emojis as pictures in what people wrote, on pages without JavaScript.
#pragma once
#include "base/describe.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pages {

struct ShownEmoji {
    std::string shortcode, static_url;
};
DESCRIBE(ShownEmoji, shortcode, static_url)

// Clean HTML, with a picture where its text says ":name:"; what stands inside tags stays.
std::string with_emojis(std::string_view html, const std::vector<ShownEmoji>&);
// A text (a name, a warning) as such HTML.
std::string words_html(std::string_view text, const std::vector<ShownEmoji>&);

}  // namespace pages

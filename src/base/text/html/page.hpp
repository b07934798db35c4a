// SPDX-License-Identifier: AGPL-3.0-or-later
// What a web page says about itself in its head, for link previews; and the links of a post. This only
// parses: callers decide what to trust.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace base::text {

struct Page {
    std::string title;                         // <title>
    std::string language;                      // <html lang>
    std::map<std::string, std::string> metas;  // the first of each name or property, in lower case
    std::string oembed;                        // href of the JSON variant, as written
    std::vector<std::string> json_ld;          // contents of such scripts, up to a limit
};

// Parses the UTF-8 text of a page, or of its beginning.
Page read_page(std::string_view html);

// The link targets in a post's HTML, without mentions, hashtags and the link to a quoted post.
std::vector<std::string> links_of(std::string_view html);

// The `src` of the first iframe, empty if there is none: the essential part of a player in oEmbed HTML.
std::string first_frame(std::string_view html);

}  // namespace base::text

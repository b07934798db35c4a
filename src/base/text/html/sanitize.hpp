// SPDX-License-Identifier: AGPL-3.0-or-later
// HTML from other servers: parsed as HTML5, written anew from an allow-list (behaviours.md 15). What is not on the
// list loses its tags; a picture becomes a link to it; scripts, styles and drawings lose their content too. Never
// trust HTML that did not pass here.
#pragma once
#include <string>
#include <string_view>

namespace base::text {

// Documents beyond the gates of tree.hpp come back as escaped paragraphs of their text.
std::string sanitize(std::string_view html);

// For previews, notifications, search and filters: line feeds for <br>, blank lines between paragraphs, entities
// decoded, no tags. The result is text, not HTML.
std::string plain_text(std::string_view html);

}  // namespace base::text

// SPDX-License-Identifier: AGPL-3.0-or-later
// Which attributes sanitize() keeps, and how they and text are written. Internal to this folder.
#pragma once
#include <string>
#include <string_view>

#include "base/text/html/tree.hpp"

namespace base::text {

bool is_allowed_href(std::string_view);
// Each preceded by a blank; for links including rel and target.
std::string allowed_attributes(const GumboNode* node);
std::string link_attributes(std::string_view href);  // for a link that is not in the document
// Whether an image stands for a character of the text.
bool is_emoji_image(const GumboNode* image);

// Escapes & < > only (quotes stay, as in other servers' output) and cleans as utf8.hpp does.
void append_text(std::string& out, std::string_view text);

}  // namespace base::text

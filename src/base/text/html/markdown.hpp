// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts written in Markdown (CommonMark with GFM links and strikethrough, no raw HTML, a line feed is a break).
// Mentions and hashtags are linked in text, not in code or links. The result always went through sanitize().
#pragma once
#include <string>
#include <string_view>

#include "base/text/html/html.hpp"

namespace base::text {

// Text longer than 32 KiB is rendered as plain text.
std::string markdown_html(std::string_view text, const Resolve& resolve);

}  // namespace base::text

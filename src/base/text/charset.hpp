// SPDX-License-Identifier: AGPL-3.0-or-later
// Pages in other encodings than UTF-8.
#pragma once
#include <string>
#include <string_view>

namespace base::text {

// HTML as clean UTF-8. The encoding is what the byte order mark says, else the header `Content-Type`, else a <meta> at
// the beginning, else UTF-8 if it is that, else Windows-1252.
std::string html_as_utf8(std::string_view bytes, std::string_view content_type);

}  // namespace base::text

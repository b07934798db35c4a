// SPDX-License-Identifier: AGPL-3.0-or-later
// Pages in encodings other than UTF-8.
#pragma once
#include <string>
#include <string_view>

namespace base::text {

// Converts HTML to clean UTF-8. The encoding is taken from the byte order mark, else from the header
// `Content-Type`, else from a <meta> near the beginning, else it is UTF-8 if the bytes are valid, else
// Windows-1252.
std::string html_as_utf8(std::string_view bytes, std::string_view content_type);

}  // namespace base::text

// SPDX-License-Identifier: AGPL-3.0-or-later
// The link grammar of scan(): what twitter-text and Mastodon accept, with a scheme always required. Unlike them it
// knows no list of top level domains, and takes localhost and ports.
#pragma once
#include <cstddef>
#include <string_view>

namespace base::text {

struct UrlSpan {
    std::size_t begin = 0, end = 0;  // begin == end: no link
};

// The link whose scheme ends with the colon at `colon`.
UrlSpan url_around(std::string_view text, std::size_t colon);

}  // namespace base::text

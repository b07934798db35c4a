// SPDX-License-Identifier: AGPL-3.0-or-later
// The grammar of hashtag names (behaviours.md 11.19), and the key under which a tag is stored and compared.
#pragma once
#include <string>
#include <string_view>

namespace base::text {

// The length in bytes of the hashtag name at the start of `text` (0: none). `text` begins after the sign.
std::size_t hashtag_length(std::string_view text);

bool valid_hashtag(std::string_view name);

// The name percent-encoded, for the end of a URL.
std::string hashtag_in_address(std::string_view name);

// NFKC, lower case, Latin letters without diacritics, and only the characters allowed in a name ("#Hello
// World" gives "helloworld"). The result may be empty or invalid: check it with valid_hashtag.
std::string normalise_hashtag(std::string_view name);

}  // namespace base::text

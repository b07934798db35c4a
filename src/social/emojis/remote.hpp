// SPDX-License-Identifier: AGPL-3.0-or-later
// Custom emojis of other servers, known by their domain.
#pragma once
#include "social/emojis/emoji.hpp"

namespace emojis {

struct RemoteEmoji {
    std::string shortcode, url;  // without colons
    std::optional<base::Time> changed_at;
};
DESCRIBE(RemoteEmoji, shortcode, url, changed_at)

constexpr std::size_t most_remote_emojis = 100;  // that one document may bring

// Keeps those that are new or have another picture. What is no name or no web address is passed over.
void store_remote(db::Write&, std::string_view domain, const std::vector<RemoteEmoji>&);

}  // namespace emojis

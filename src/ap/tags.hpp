// SPDX-License-Identifier: AGPL-3.0-or-later
// The `tag` property of posts, actors and reactions.
#pragma once
#include "ap/document.hpp"

#include <string>
#include <vector>

namespace ap {

constexpr std::size_t most_mentions = 100, most_hashtags = 100, most_emojis = 200;

struct Mention {
    std::string href;  // of an actor or a profile page
    std::string name;  // "@alice@example.com", "@alice", ""
};

struct Hashtag {
    std::string name;  // without the sign; normalise_hashtag() gives the key
    std::string href;
};

struct Emoji {
    std::string id;         // often ""
    std::string shortcode;  // without colons
    std::string url, media_type;
    std::optional<Time> updated;
};

struct Tags {
    std::vector<Mention> mentions;
    std::vector<Hashtag> hashtags;
    std::vector<Emoji> emojis;
};

// Without duplicates and invalid tags (hashtags that are none, emojis without a picture).
Tags read_tags(Node tag, Time now);

}  // namespace ap

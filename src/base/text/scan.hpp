// SPDX-License-Identifier: AGPL-3.0-or-later
// Finds mentions, hashtags, links and emoji shortcodes in plain text, by the rules of behaviours.md 15 and
// 11.19, in linear time. Scan once, then count (count.hpp) and render (html.hpp) with the same entities.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace base::text {

// All views point into the scanned text.
struct Entity {
    enum Kind { mention, hashtag, url } kind;
    std::size_t begin, end;     // bytes
    std::string_view username;  // mention
    std::string_view domain;  // mention; as written (not IDNA), with the port if there is one; empty if local
    std::string_view name;    // hashtag, without the sign

    // The text it was found as: "@alice@example.com", "#tag", "https://…".
    std::string_view in(std::string_view text) const { return text.substr(begin, end - begin); }
    // "alice" or "alice@example.com"; for mentions.
    std::string_view acct(std::string_view text) const { return text.substr(begin + 1, end - begin - 1); }
};

// In order and without overlap. A link takes precedence over mentions or hashtags inside it.
std::vector<Entity> scan(std::string_view text);

struct WrittenHashtag {
    std::string key, name;  // normalised; as written
};
// In order of appearance, each key once.
std::vector<WrittenHashtag> hashtags(std::string_view text);

// The names in `:name:`, each once, in order of appearance.
std::vector<std::string> shortcodes(std::string_view text);

// The link grammar of scan(): what twitter-text and Mastodon accept, but a scheme is always required. Unlike
// them it has no list of top level domains, and it accepts localhost and ports.
struct UrlSpan {
    std::size_t begin = 0, end = 0;  // begin == end: no link
};

// The link whose scheme ends with the colon at `colon`.
UrlSpan url_around(std::string_view text, std::size_t colon);

}  // namespace base::text

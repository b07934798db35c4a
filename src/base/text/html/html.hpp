// SPDX-License-Identifier: AGPL-3.0-or-later
// Local plain text to HTML, exactly in the shape of behaviours.md 15: posts, notes, profile fields. Whatever comes
// in, the result is valid UTF-8 and holds no markup but ours. HTML from elsewhere goes through sanitize.hpp.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "base/text/scan.hpp"

namespace base::text {

// An account that a mention in the text turned out to mean.
struct Mention {
    std::string_view acct_in_text;  // Entity::acct, any case; must outlive the call
    std::string url;                // the profile page
    std::string username;
    std::string domain;  // empty for local accounts
};

struct Resolve {
    std::span<const Mention> mentions;  // those not found here stay plain text
    std::string_view tags_url;          // "https://example.com/tags/"
    bool always_domain = false;         // profile fields: @user@domain for every remote account
    bool rel_me = false;                // profile fields: links say rel="… me"
};

// & < > " '
std::string escape(std::string_view text);

// Paragraphs at blank lines, <br /> at single ones; blank text gives "". `entities` is scan(text).
std::string to_html(std::string_view text, std::span<const Entity> entities, const Resolve& resolve);
std::string to_html(std::string_view text, const Resolve& resolve);
// Without paragraphs and breaks, for profile fields.
std::string to_inline_html(std::string_view text, const Resolve& resolve);

// A URL as posts show it: without its scheme, shortened.
std::string link_html(std::string_view url);

// The paragraph in front of a quoting post, for software that does not know quotes.
std::string quote_inline(std::string_view url);

}  // namespace base::text

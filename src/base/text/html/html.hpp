// SPDX-License-Identifier: AGPL-3.0-or-later
// Local plain text to HTML, exactly in the shape of behaviours.md 15: posts, notes, profile fields. Whatever comes
// in, the result is valid UTF-8 and holds no markup but ours. HTML from elsewhere goes through sanitize().
#pragma once
#include "base/text/scan.hpp"

#include <span>
#include <string>
#include <string_view>

namespace base::text {

// The account that a mention in the text refers to.
struct Mention {
    std::string_view acct_in_text;  // Entity::acct, any case; must outlive the call
    std::string url;                // the profile page
    std::string username;
    std::string domain;  // empty for local accounts
};

struct Resolve {
    std::span<const Mention> mentions;  // mentions missing here stay plain text
    std::string_view tags_url;          // "https://example.com/tags/"
    bool always_domain = false;         // profile fields: @user@domain for every remote account
    bool rel_me = false;                // profile fields: links get rel="… me"
};

// & < > " '
std::string escape(std::string_view text);

// Paragraphs at blank lines, <br /> at single line breaks; blank text gives "". `entities` is scan(text).
std::string to_html(std::string_view text, std::span<const Entity> entities, const Resolve& resolve);
std::string to_html(std::string_view text, const Resolve& resolve);
// The same without paragraphs and line breaks, for profile fields.
std::string to_inline_html(std::string_view text, const Resolve& resolve);

// A link with the URL as posts show it: without the scheme, shortened.
std::string link_html(std::string_view url);

// The paragraph before a quoting post, for software that does not support quotes.
std::string quote_inline(std::string_view url);

// Posts written in Markdown (CommonMark with GFM links and strikethrough, no raw HTML; a line feed is a line
// break). Mentions and hashtags are linked in text, but not in code or links. The result has always passed
// sanitize().

// Text longer than 32 KiB is rendered as plain text.
std::string markdown_html(std::string_view text, const Resolve& resolve);

// HTML from other servers: parsed as HTML5 and rebuilt from an allow-list (behaviours.md 15). Elements not on
// the list lose their tags; an image becomes a link to it; scripts, styles and drawings also lose their
// content. Never trust HTML that has not passed through here.

// Documents that exceed the limits of tree.hpp are returned as escaped paragraphs of their text.
std::string sanitize(std::string_view html);

// For previews, notifications, search and filters: line feeds for <br>, blank lines between paragraphs,
// entities decoded, no tags. The result is text, not HTML.
std::string plain_text(std::string_view html);

}  // namespace base::text

// SPDX-License-Identifier: AGPL-3.0-or-later
// Local plain text to HTML, exactly in the shape of behaviours.md 15: posts, notes, profile fields. Whatever comes
// in, the result is valid UTF-8 and holds no markup but ours. HTML from elsewhere goes through sanitize().
#pragma once
#include "base/text/scan.hpp"

#include <span>
#include <string>
#include <string_view>

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

// Posts written in Markdown (CommonMark with GFM links and strikethrough, no raw HTML, a line feed is a break).
// Mentions and hashtags are linked in text, not in code or links. The result always went through sanitize().

// Text longer than 32 KiB is rendered as plain text.
std::string markdown_html(std::string_view text, const Resolve& resolve);

// HTML from other servers: parsed as HTML5, written anew from an allow-list (behaviours.md 15). What is not on the
// list loses its tags; a picture becomes a link to it; scripts, styles and drawings lose their content too. Never
// trust HTML that did not pass here.

// Documents beyond the gates of tree.hpp come back as escaped paragraphs of their text.
std::string sanitize(std::string_view html);

// For previews, notifications, search and filters: line feeds for <br>, blank lines between paragraphs, entities
// decoded, no tags. The result is text, not HTML.
std::string plain_text(std::string_view html);

}  // namespace base::text

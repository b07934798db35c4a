// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/pages/emoji_html.hpp"

#include "base/text/html/html.hpp"

#include <algorithm>

namespace pages {

namespace {

// Behind the tag that begins here. An attribute may hold a ">".
std::size_t end_of_tag(std::string_view html, std::size_t at) {
    char quote = 0;
    for (; at < html.size(); ++at) {
        const char c = html[at];
        if (quote != 0) {
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') quote = c;
        else if (c == '>') return at + 1;
    }
    return html.size();
}

std::string picture(const ShownEmoji& emoji) {
    const auto name = base::text::escape(":" + emoji.shortcode + ":");
    return "<img class=\"emoji\" src=\"" + base::text::escape(emoji.static_url) + "\" alt=\"" + name +
           "\" title=\"" + name + "\" width=\"20\" height=\"20\" loading=\"lazy\">";
}

}  // namespace

std::string with_emojis(std::string_view html, const std::vector<ShownEmoji>& emojis) {
    if (emojis.empty()) return std::string(html);
    std::string out;
    for (std::size_t at = 0; at < html.size();) {
        if (html[at] == '<') {
            const auto end = end_of_tag(html, at);
            out += html.substr(at, end - at);
            at = end;
            continue;
        }
        if (html[at] == ':') {
            const auto end = html.find(':', at + 1);
            const auto name = html.substr(at + 1, end == html.npos ? 0 : end - at - 1);
            const auto known = std::ranges::find(emojis, name, &ShownEmoji::shortcode);
            if (known != emojis.end()) {
                out += picture(*known);
                at = end + 1;
                continue;
            }
        }
        out += html[at++];
    }
    return out;
}

std::string words_html(std::string_view text, const std::vector<ShownEmoji>& emojis) {
    return with_emojis(base::text::escape(text), emojis);
}

}  // namespace pages

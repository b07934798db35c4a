// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/html/sanitize_attributes.hpp"

#include <algorithm>
#include <array>

#include "base/text/html/html_parts.hpp"
#include "base/text/utf8.hpp"

namespace base::text {

namespace {

constexpr auto link_schemes = std::to_array<std::string_view>({
    "http",
    "https",
    "dat",
    "dweb",
    "ipfs",
    "ipns",
    "ssb",
    "gopher",
    "xmpp",
    "magnet",
    "gemini",
});

constexpr std::string_view outbound = " rel=\"nofollow noopener\" target=\"_blank\"";

bool is_allowed_class(std::string_view name) {
    constexpr auto names =
        std::to_array<std::string_view>({"mention", "hashtag", "ellipsis", "invisible", "quote-inline"});
    constexpr auto prefixes = std::to_array<std::string_view>({"h-", "p-", "u-", "dt-", "e-"});
    return std::ranges::find(names, name) != names.end() ||
           std::ranges::any_of(prefixes, [&](auto prefix) { return name.starts_with(prefix); });
}

std::string allowed_classes(std::string_view value) {
    constexpr std::string_view blank = "\t\n\f\r ";
    std::string out;
    while (!value.empty()) {
        auto end = std::min(value.find_first_of(blank), value.size());
        if (is_allowed_class(value.substr(0, end)))
            out.append(out.empty() ? "" : " ").append(value.substr(0, end));
        value.remove_prefix(std::min(end + 1, value.size()));
    }
    return out;
}

bool is_number(std::string_view value) {
    if (value.starts_with('-')) value.remove_prefix(1);
    return !value.empty() && value.size() <= 9 &&
           std::ranges::all_of(value, [](char c) { return is_ascii_digit(static_cast<unsigned char>(c)); });
}

bool is_language_tag(std::string_view value) {
    return !value.empty() && value.size() <= 35 && std::ranges::all_of(value, [](char c) {
        return c == '-' || is_ascii_alnum(static_cast<unsigned char>(c));
    });
}

void append_attribute(std::string& out, std::string_view name, std::string_view value) {
    out.append(" ").append(name).append("=\"");
    append_escaped(out, value);
    out += '"';
}

// Whether `name` may stay on the element; class values are filtered separately.
bool is_allowed(GumboTag tag, std::string_view name, std::string_view value) {
    if (name == "lang") return is_language_tag(value);
    switch (tag) {
        case GUMBO_TAG_A: return name == "href" || name == "class" || (name == "translate" && value == "no");
        case GUMBO_TAG_SPAN: return name == "class" || (name == "translate" && value == "no");
        case GUMBO_TAG_P: return name == "class";
        case GUMBO_TAG_OL: return name == "reversed" || (name == "start" && is_number(value));
        case GUMBO_TAG_LI: return name == "value" && is_number(value);
        default: return false;
    }
}

}  // namespace

bool is_allowed_href(std::string_view href) {
    auto colon = href.find(':');
    if (colon == std::string_view::npos) return false;
    // Browsers ignore line feeds and tabs inside URLs; a link that contains them is trying to hide something.
    if (std::ranges::any_of(href, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }))
        return false;
    auto scheme = href.substr(0, colon);
    return std::ranges::any_of(link_schemes, [&](auto known) {
        return same_ignoring_ascii_case(scheme, known);
    });
}

std::string allowed_attributes(const GumboNode* node) {
    std::string out;
    auto tag = node->v.element.tag;
    const auto& attributes = node->v.element.attributes;
    for (unsigned i = 0; i < attributes.length; ++i) {
        auto attribute = static_cast<const GumboAttribute*>(attributes.data[i]);
        std::string_view name = attribute->name, value = attribute->value;
        if (!is_allowed(tag, name, value)) continue;
        if (name == "class") append_attribute(out, name, allowed_classes(value));
        else append_attribute(out, name, name == "reversed" ? std::string_view() : value);
    }
    if (tag == GUMBO_TAG_A) out += outbound;
    return out;
}

std::string link_attributes(std::string_view href) {
    std::string out;
    append_attribute(out, "href", href);
    return out += outbound;
}

bool is_emoji_image(const GumboNode* image) {
    auto classes = attribute(image, "class");
    return classes.find("emoji") != classes.npos || classes.find("smiley") != classes.npos;
}

void append_text(std::string& out, std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        auto d = decode(text, at);
        if (d.c == '&') out += "&amp;";
        else if (d.c == '<') out += "&lt;";
        else if (d.c == '>') out += "&gt;";
        else if (d.c == '\r') out += '\n';
        else if (!d.valid) append_utf8(out, d.c);
        else if (!is_control(d.c)) out.append(text, at, d.size);
        at += d.size;
    }
}

}  // namespace base::text

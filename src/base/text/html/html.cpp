// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/html/html.hpp"

#include <algorithm>

#include "base/text/blank.hpp"
#include "base/text/html/html_parts.hpp"
#include "base/text/utf8.hpp"

namespace base::text {

namespace {

bool is_newline(char c) { return c == '\n' || c == '\r'; }

// Appends plain text between two entities: newlines become markup, the rest is escaped.
void append_lines(std::string& out, std::string_view text) {
    while (!text.empty()) {
        auto line = std::min(text.find_first_of("\r\n"), text.size());
        append_escaped(out, text.substr(0, line));
        int newlines = 0;
        for (; line < text.size() && is_newline(text[line]); ++line)
            newlines += text[line] == '\n' || text.substr(line, 2) != "\r\n" ? 1 : 0;
        if (newlines == 1) out += "<br />";
        if (newlines > 1) out += "</p><p>";
        text.remove_prefix(line);
    }
}

void append_flat(std::string& out, std::string_view text) {
    while (!text.empty()) {
        auto line = std::min(text.find_first_of("\r\n"), text.size());
        append_escaped(out, text.substr(0, line));
        auto next = line;
        while (next < text.size() && is_newline(text[next])) ++next;
        if (next > line) out += ' ';
        text.remove_prefix(next);
    }
}

struct Range {
    std::size_t begin, end;
};

Range without_outer_newlines(std::string_view text) {
    Range range{0, text.size()};
    while (range.begin < range.end && is_newline(text[range.begin])) ++range.begin;
    while (range.end > range.begin && is_newline(text[range.end - 1])) --range.end;
    return range;
}

template <class Plain>
void append_body(
    std::string& out, std::string_view text, std::span<const Entity> entities, const Resolve& resolve,
    Plain plain
) {
    Linker linker(resolve);
    auto [at, end] = without_outer_newlines(text);
    for (const auto& entity : entities) {
        plain(out, text.substr(at, entity.begin - at));
        linker.append(out, text, entity);
        at = entity.end;
    }
    plain(out, text.substr(at, end - at));
}

}  // namespace

std::string escape(std::string_view text) {
    std::string out;
    out.reserve(text.size() + text.size() / 8);
    append_escaped(out, text);
    return out;
}

std::string to_html(std::string_view text, std::span<const Entity> entities, const Resolve& resolve) {
    std::string out;
    if (is_blank(text)) return out;
    out.reserve(text.size() + text.size() / 4 + entities.size() * 256 + 16);
    out += "<p>";
    append_body(out, text, entities, resolve, append_lines);
    out += "</p>";
    return out;
}

std::string to_html(std::string_view text, const Resolve& resolve) {
    return to_html(text, scan(text), resolve);
}

std::string to_inline_html(std::string_view text, const Resolve& resolve) {
    std::string out;
    append_body(out, text, scan(text), resolve, append_flat);
    return out;
}

std::string link_html(std::string_view url) {
    std::string out;
    append_link(out, url, false);
    return out;
}

std::string quote_inline(std::string_view url) {
    return "<p class=\"quote-inline\">RE: " + link_html(url) + "</p>";
}

}  // namespace base::text

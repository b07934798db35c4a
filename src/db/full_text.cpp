// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/full_text.hpp"

#include <algorithm>

namespace db {

namespace {

// How an engine writes a query. Words hold no quotes: letters, digits, marks, `#` and `_` only.
struct Style {
    char quote;
    std::string_view beside, open, all, one, without;
};
constexpr Style fts5{'"', " + ", " * ", " AND ", " OR ", " NOT "};
constexpr Style tsquery{'\'', " <-> ", ":*", " & ", " | ", " & !"};

void append(std::string& out, const SoughtWords& sought, const Style& style) {
    out += '(';
    for (std::size_t i = 0; i < sought.words.size(); ++i) {
        if (i > 0) out += style.beside;
        out += style.quote;
        out += sought.words[i];
        out += style.quote;
    }
    if (sought.open) out += style.open;
    out += ')';
}

void append(
    std::string& out, const std::vector<SoughtWords>& all, std::string_view between, const Style& style
) {
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0) out += between;
        append(out, all[i], style);
    }
}

std::string written(const Sought& sought, const Style& style) {
    std::string out = "(";
    append(out, sought.every, style.all, style);
    if (!sought.any.empty()) {
        if (!sought.every.empty()) out += style.all;
        out += '(';
        append(out, sought.any, style.one, style);
        out += ')';
    }
    out += ')';
    if (!sought.none.empty()) {
        out += style.without;
        out += '(';
        append(out, sought.none, style.one, style);
        out += ')';
    }
    return out;
}

}  // namespace

namespace {

std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at < text.size();) {
        auto end = std::min(text.find(' ', at), text.size());
        if (end > at) words.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

bool stands_in(const std::vector<std::string_view>& text, const SoughtWords& sought) {
    auto last = sought.words.size() - 1;
    for (std::size_t at = 0; at + last < text.size(); ++at) {
        std::size_t same = 0;
        while (same < last && text[at + same] == sought.words[same]) ++same;
        if (same < last) continue;
        auto end = text[at + last];
        if (sought.open ? end.starts_with(sought.words[last]) : end == sought.words[last]) return true;
    }
    return false;
}

}  // namespace

bool Sought::matches(std::string_view text) const {
    auto words = split(text);
    auto found = [&](const SoughtWords& sought) { return stands_in(words, sought); };
    return std::ranges::all_of(every, found) && (any.empty() || std::ranges::any_of(any, found)) &&
           std::ranges::none_of(none, found);
}

std::string Sought::for_sqlite() const { return written(*this, fts5); }
std::string Sought::for_postgres() const { return written(*this, tsquery); }

std::string IndexedText::for_sqlite() const {
    std::string out = " ";
    for (const auto* list : {&words, &marks})
        for (const auto& word : *list) {
            out += word;
            out += ' ';
        }
    return out;
}

std::string IndexedText::for_postgres() const {
    std::string out;
    std::size_t position = 0;
    for (const auto& word : words) {
        out += '\'';
        out += word;
        out += "':";
        out += std::to_string(++position);
        out += ' ';
    }
    for (const auto& mark : marks) {
        out += '\'';
        out += mark;
        out += "' ";
    }
    return out;
}

}  // namespace db

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/full_text.hpp"

#include <algorithm>
#include <cstring>

namespace db {

namespace {

// The query syntax of an engine. Words need no quoting: they consist of letters, digits, marks, `#` and `_`
// only.
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

std::vector<std::string> between_spaces(const std::vector<SoughtWords>& all) {
    std::vector<std::string> out;
    for (const auto& sought : all) {
        auto& text = out.emplace_back();
        for (const auto& word : sought.words) (text += ' ') += word;
        if (!sought.open) text += ' ';
    }
    return out;
}

}  // namespace

Matcher::Matcher(const Sought& sought)
    : every_(between_spaces(sought.every)),
      any_(between_spaces(sought.any)),
      none_(between_spaces(sought.none)) {}

bool Matcher::operator()(std::string_view text) const {
    auto found = [&](const std::string& words) {
        return memmem(text.data(), text.size(), words.data(), words.size()) != nullptr;
    };
    return std::ranges::all_of(every_, found) && (any_.empty() || std::ranges::any_of(any_, found)) &&
           std::ranges::none_of(none_, found);
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

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/signature_parts.hpp"
#include "base/text/utf8.hpp"

#include <algorithm>

namespace ap::parts {

namespace {

constexpr std::size_t most_bytes = 8192, most_parameters = 32;

bool is_of_token(char c) {
    return c > ' ' && c <= '~' && std::string_view("\"(),/:;<=>?@[\\]{}").find(c) == std::string_view::npos;
}

std::string_view take_token(std::string_view& text) {
    const auto end = static_cast<std::size_t>(std::ranges::find_if_not(text, is_of_token) - text.begin());
    const auto out = text.substr(0, end);
    text.remove_prefix(end);
    return out;
}

std::optional<std::string> take_value(std::string_view& text) {
    if (!text.starts_with('"')) {
        std::string token(take_token(text));
        return token.empty() ? std::nullopt : std::optional(token);
    }
    std::string out;
    for (text.remove_prefix(1);;) {
        const auto stops = [](char c) { return c == '"' || c == '\\'; };
        const auto end = static_cast<std::size_t>(std::ranges::find_if(text, stops) - text.begin());
        if (end == text.size()) return std::nullopt;
        out += text.substr(0, end);
        const bool ends = text[end] == '"';
        text.remove_prefix(end + 1);
        if (ends) return out;
        if (text.empty()) return std::nullopt;
        out += text.front();
        text.remove_prefix(1);
    }
}

void skip_blanks(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
}

}  // namespace

std::optional<Fields> read_fields(std::string_view text) {
    // Old libraries send the form of an Authorization header.
    constexpr std::string_view scheme = "Signature ";
    if (text.size() > most_bytes) return std::nullopt;
    if (text.starts_with(scheme)) text.remove_prefix(scheme.size());
    Fields out;
    std::vector<std::string> seen;
    for (;;) {
        skip_blanks(text);
        const auto name = take_token(text);
        skip_blanks(text);
        if (name.empty() || !text.starts_with('=')) return std::nullopt;
        text.remove_prefix(1);
        skip_blanks(text);
        auto value = take_value(text);
        seen.push_back(base::text::ascii_lowered(name));
        if (!value || std::ranges::count(seen, seen.back()) > 1 || seen.size() > most_parameters)
            return std::nullopt;
        out.emplace(name, std::move(*value));
        skip_blanks(text);
        if (text.empty()) return out;
        if (!text.starts_with(',')) return std::nullopt;
        text.remove_prefix(1);
    }
}

}  // namespace ap::parts

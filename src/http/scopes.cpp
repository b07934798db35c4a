// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/scopes.hpp"

#include <algorithm>
#include <stdexcept>

namespace http {

namespace {

const std::vector<std::string_view> words = {
    "read",
    "write",
    "follow",
    "push",
    "profile",
    "read:accounts",
    "read:blocks",
    "read:bookmarks",
    "read:collections",
    "read:favourites",
    "read:filters",
    "read:follows",
    "read:lists",
    "read:mutes",
    "read:notifications",
    "read:search",
    "read:statuses",
    "write:accounts",
    "write:blocks",
    "write:bookmarks",
    "write:collections",
    "write:conversations",
    "write:favourites",
    "write:filters",
    "write:follows",
    "write:lists",
    "write:media",
    "write:mutes",
    "write:notifications",
    "write:reports",
    "write:statuses",
    "admin:read",
    "admin:read:accounts",
    "admin:read:reports",
    "admin:read:domain_allows",
    "admin:read:domain_blocks",
    "admin:read:ip_blocks",
    "admin:read:email_domain_blocks",
    "admin:read:canonical_email_blocks",
    "admin:write",
    "admin:write:accounts",
    "admin:write:reports",
    "admin:write:domain_allows",
    "admin:write:domain_blocks",
    "admin:write:ip_blocks",
    "admin:write:email_domain_blocks",
    "admin:write:canonical_email_blocks",
    "crypto",
};

std::optional<std::size_t> index_of(std::string_view word) {
    auto found = std::ranges::find(words, word);
    if (found == words.end()) return std::nullopt;
    return static_cast<std::size_t>(found - words.begin());
}

void add(Scopes& scopes, std::string_view word) {
    auto index = index_of(word);
    if (!index) throw std::logic_error("a route asks for the unknown scope " + std::string(word));
    scopes.set(*index);
}

template <class F>
void each_word(std::string_view text, std::string_view separators, F&& f) {
    while (!text.empty()) {
        auto end = text.find_first_of(separators);
        if (auto word = text.substr(0, end); !word.empty()) f(word);
        if (end == std::string_view::npos) return;
        text.remove_prefix(end + 1);
    }
}

}  // namespace

const std::vector<std::string_view>& scope_words() { return words; }

std::optional<Scopes> parse_scopes(std::string_view text) {
    Scopes scopes;
    bool known = true;
    each_word(text, " +,\t\n", [&](std::string_view word) {
        if (auto index = index_of(word)) scopes.set(*index);
        else known = false;
    });
    if (!known) return std::nullopt;
    return scopes;
}

std::string to_string(const Scopes& scopes) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!scopes[i]) continue;
        if (!text.empty()) text += ' ';
        text += words[i];
    }
    return text;
}

Scopes accepted_scopes(std::string_view required) {
    Scopes scopes;
    each_word(required, "|", [&](std::string_view word) {
        add(scopes, word);
        auto parent = word.substr(0, word.rfind(':'));
        if (parent != word && parent != "admin") add(scopes, parent);
    });
    return scopes;
}

}  // namespace http

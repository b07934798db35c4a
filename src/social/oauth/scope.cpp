// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/app.hpp"

#include <algorithm>

namespace oauth {

std::vector<std::string> words_of(std::string_view scopes) {
    std::vector<std::string> words;
    while (!scopes.empty()) {
        auto end = scopes.find_first_of(" +,\t\r\n");
        if (end != 0) words.emplace_back(scopes.substr(0, end));
        if (end == scopes.npos) break;
        scopes.remove_prefix(end + 1);
    }
    return words;
}

std::optional<std::string> normal_scopes(std::string_view text) {
    const auto& known = http::scope_words();
    http::Scopes seen;
    std::string out;
    for (const auto& word : words_of(text)) {
        auto found = std::ranges::find(known, word);
        if (found == known.end()) return std::nullopt;
        auto index = static_cast<std::size_t>(found - known.begin());
        if (seen[index]) continue;
        seen.set(index);
        if (!out.empty()) out += ' ';
        out += word;
    }
    return out.empty() ? "read" : out;
}

bool includes(std::string_view scopes, std::string_view wanted) {
    auto given = http::parse_scopes(scopes), asked = http::parse_scopes(wanted);
    return given && asked && (*asked & ~*given).none();
}

std::string meaning(std::string_view word) {
    struct Whole {
        std::string_view word, meaning;
    };
    constexpr Whole wholes[] = {
        {"read", "See everything in your account: posts, lists, notifications, private messages"},
        {"write", "Post and change everything in your name"},
        {"follow", "Follow, mute and block for you"},
        {"push", "Send you push notifications"},
        {"profile", "See who you are: your name, profile and picture"},
        {"crypto", "Use end-to-end encryption as one of your devices"},
        {"admin:read", "See everything that moderators see"},
        {"admin:write", "Moderate this server in your name"},
    };
    for (const auto& whole : wholes)
        if (whole.word == word) return std::string(whole.meaning);
    constexpr Whole parts[] = {
        {"accounts", "Accounts"},
        {"blocks", "Blocked people"},
        {"bookmarks", "Bookmarks"},
        {"canonical_email_blocks", "Blocked e-mail addresses"},
        {"collections", "Collections"},
        {"conversations", "Conversations"},
        {"domain_allows", "Allowed servers"},
        {"domain_blocks", "Blocked servers"},
        {"email_domain_blocks", "Blocked e-mail providers"},
        {"favourites", "Favourites"},
        {"filters", "Filters"},
        {"follows", "People you follow"},
        {"ip_blocks", "Blocked IP addresses"},
        {"lists", "Lists"},
        {"media", "Media"},
        {"mutes", "Muted people"},
        {"notifications", "Notifications"},
        {"reports", "Reports"},
        {"search", "Search"},
        {"statuses", "Posts"},
    };
    auto last = word.substr(word.rfind(':') + 1);
    auto found = std::ranges::find(parts, last, &Whole::word);
    std::string what(found == std::end(parts) ? last : found->meaning);
    if (word.starts_with("admin:read")) return "See as a moderator: " + what;
    if (word.starts_with("admin:write")) return "Change as a moderator: " + what;
    return (word.starts_with("read") ? "See: " : "Change: ") + what;
}

}  // namespace oauth

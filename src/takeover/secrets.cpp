// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/source.hpp"

#include "base/crypto.hpp"
#include "social/oauth/app.hpp"

#include <algorithm>

namespace takeover {

std::optional<std::string> from_base32(std::string_view text) {
    std::string out;
    std::uint32_t bits = 0;
    int held = 0;
    for (char c : text) {
        if (c == '=' || c == ' ' || c == '-') continue;
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        std::uint32_t digit = 0;
        if (c >= 'A' && c <= 'Z') digit = static_cast<std::uint32_t>(c - 'A');
        else if (c >= '2' && c <= '7') digit = static_cast<std::uint32_t>(c - '2' + 26);
        else return std::nullopt;
        bits = bits << 5 | digit;
        held += 5;
        if (held < 8) continue;
        held -= 8;
        out += static_cast<char>(bits >> held & 0xff);
    }
    if (out.size() < 10 || out.size() > 128) return std::nullopt;
    return out;
}

namespace {

// "$2b$10$" and 53 characters. What costs more than any password here may is left out: up to twenty are tried at a sign-in.
bool is_bcrypt(std::string_view hash) {
    constexpr std::size_t length = 60;
    constexpr std::string_view most_cost = "14";
    if (hash.size() != length || !hash.starts_with("$2") || hash[3] != '$' || hash[6] != '$') return false;
    const auto cost = hash.substr(4, 2);
    return std::ranges::all_of(cost, [](char c) { return c >= '0' && c <= '9'; }) && cost <= most_cost;
}

}  // namespace

std::vector<std::string> known_recovery_codes(const std::vector<std::string>& hashes) {
    constexpr std::size_t most = 20;
    std::vector<std::string> out;
    for (const auto& hash : hashes)
        if (is_bcrypt(hash) && out.size() < most) out.push_back(hash);
    return out;
}

std::optional<std::string> known_scopes(std::string_view text) {
    if (text.empty()) return "read";
    std::string out;
    auto add = [&](std::string_view word) {
        if (word.empty() || !oauth::normal_scopes(word)) return;
        if ((" " + out + " ").find(" " + std::string(word) + " ") != std::string::npos) return;
        out += (out.empty() ? "" : " ") + std::string(word);
    };
    while (!text.empty()) {
        const auto end = std::min(text.find_first_of(" +,\n"), text.size());
        const auto word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        // GoToSocial has one word for both.
        if (word == "admin") {
            add("admin:read");
            add("admin:write");
        } else add(word);
    }
    if (out.empty()) return std::nullopt;
    return out;
}

std::int64_t number_of_push(std::string_view former) {
    constexpr std::uint64_t below = 1ULL << 53;
    const auto hash = base::sha256(former);
    std::uint64_t number = 0;
    for (const char c : hash.substr(0, 8)) number = number << 8 | static_cast<unsigned char>(c);
    return static_cast<std::int64_t>(1 + number % (below - 1));
}

}  // namespace takeover

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/source.hpp"

#include "base/crypto.hpp"
#include "social/oauth/app.hpp"

#include <algorithm>
#include <charconv>

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

// The number behind "m=" or a sign; nothing: there is none.
std::optional<std::uint64_t> number_behind(std::string_view text, std::string_view mark) {
    const auto at = text.find(mark);
    if (at == text.npos) return std::nullopt;
    std::uint64_t out = 0;
    const auto digits = text.substr(at + mark.size());
    if (std::from_chars(digits.data(), digits.data() + digits.size(), out).ec != std::errc{})
        return std::nullopt;
    return out;
}

// As Pleroma and Akkoma make them, and no dearer.
bool is_pbkdf2(std::string_view hash) {
    constexpr std::uint64_t most_rounds = 200'000;
    constexpr std::string_view mark = "$pbkdf2-sha512$";
    return hash.starts_with(mark) && hash.size() <= 512 &&
           number_behind(hash, mark).value_or(most_rounds + 1) <= most_rounds;
}
bool is_argon2(std::string_view hash) {
    constexpr std::uint64_t most_memory = 65'536, most_passes = 8;
    if (!hash.starts_with("$argon2") || hash.size() > 512) return false;
    return number_behind(hash, "$m=").value_or(most_memory + 1) <= most_memory &&
           number_behind(hash, ",t=").value_or(most_passes + 1) <= most_passes;
}

}  // namespace

std::vector<std::string> known_recovery_codes(const std::vector<std::string>& hashes) {
    constexpr std::size_t most = 20;
    std::vector<std::string> out;
    for (const auto& hash : hashes)
        if ((is_bcrypt(hash) || is_pbkdf2(hash) || is_argon2(hash)) && out.size() < most) out.push_back(hash);
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

// One row of bytes for each kind: CTAP2 orders them.
std::optional<PasskeyKey> passkey_of_cose(std::string_view cose) {
    using namespace std::string_view_literals;
    constexpr std::int64_t es256 = -7, eddsa = -8;
    constexpr std::size_t half = 32;
    constexpr auto curve = "\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20"sv, then = "\x22\x58\x20"sv,
                   edwards = "\xa4\x01\x01\x03\x27\x20\x06\x21\x58\x20"sv;
    if (cose.size() == curve.size() + half + then.size() + half && cose.starts_with(curve) &&
        cose.substr(curve.size() + half, then.size()) == then)
        return PasskeyKey{
            std::string(cose.substr(curve.size(), half))
                .append(cose.substr(curve.size() + half + then.size())),
            es256
        };
    if (cose.size() == edwards.size() + half && cose.starts_with(edwards))
        return PasskeyKey{std::string(cose.substr(edwards.size())), eddsa};
    return std::nullopt;
}

}  // namespace takeover

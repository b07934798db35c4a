// SPDX-License-Identifier: AGPL-3.0-or-later

#include "base/crypto.hpp"
#include "base/signing.hpp"

#include <crypt.h>
#include <openssl/evp.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace base {

namespace {

// bcrypt's cost is exponential: 14 takes some 800 ms. The others use 10 and 12.
constexpr int most_bcrypt_cost = 14;
// Pleroma uses 160,000 rounds.
constexpr int most_pbkdf2_rounds = 2'000'000;
// KiB times passes: about a second. Argon2's own defaults are 4096*3, 65536*3.
constexpr std::uint64_t most_argon2_work = 1 << 20, most_argon2_memory = 256 << 10, most_argon2_lanes = 64;

std::optional<std::uint64_t> number(std::string_view text) {
    std::uint64_t out = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return out;
}

std::vector<std::string_view> fields(std::string_view text) {
    std::vector<std::string_view> out;
    while (true) {
        auto at = text.find('$');
        out.push_back(text.substr(0, at));
        if (at == text.npos || out.size() > 8) return out;
        text.remove_prefix(at + 1);
    }
}

// ---- bcrypt: $2b$10$ and 53 characters ----

bool is_bcrypt(std::string_view hash) {
    return hash.starts_with("$2a$") || hash.starts_with("$2b$") || hash.starts_with("$2y$");
}

bool bcrypt_matches(const std::string& hash, const std::string& password) {
    if (hash.size() != 60 || hash[6] != '$') return false;
    auto cost = number(std::string_view(hash).substr(4, 2));
    if (!cost || *cost > most_bcrypt_cost) return false;
    auto room = std::make_unique<crypt_data>();  // 32 KiB: too much for the stack
    const char* made = crypt_r(password.c_str(), hash.c_str(), room.get());
    return made && same_secret(made, hash);
}

// ---- PBKDF2 as Passlib and Pleroma write it: $pbkdf2-sha512$ROUNDS$SALT$KEY, base64 with . for + and without padding ----

constexpr std::string_view pbkdf2 = "$pbkdf2-sha512$";

std::optional<std::string> from_adapted_base64(std::string_view text) {
    std::string plain(text);
    std::ranges::replace(plain, '.', '+');
    return from_base64(plain);
}

bool pbkdf2_matches(std::string_view hash, std::string_view password) {
    auto parts = fields(hash.substr(pbkdf2.size()));
    if (parts.size() != 3 || hash.size() > 512) return false;
    auto rounds = number(parts[0]);
    auto salt = from_adapted_base64(parts[1]), key = from_adapted_base64(parts[2]);
    if (!rounds || *rounds < 1 || *rounds > most_pbkdf2_rounds || !salt || !key) return false;
    if (key->size() < 16 || key->size() > 64) return false;  // a longer one multiplies the cost
    std::string made(key->size(), '\0');
    return PKCS5_PBKDF2_HMAC(
               password.data(),
               static_cast<int>(password.size()),
               reinterpret_cast<const unsigned char*>(salt->data()),
               static_cast<int>(salt->size()),
               static_cast<int>(*rounds),
               EVP_sha512(),
               static_cast<int>(made.size()),
               reinterpret_cast<unsigned char*>(made.data())
           ) == 1 &&
           same_secret(made, *key);
}

// ---- Argon2: $argon2id$v=19$m=65536,t=3,p=4$SALT$KEY ----

bool is_affordable_argon2(std::string_view hash) {
    auto parts = fields(hash);
    if (parts.size() != 6 || (parts[1] != "argon2id" && parts[1] != "argon2i")) return false;
    std::optional<std::uint64_t> memory, passes, lanes;
    for (std::string_view rest = parts[3]; !rest.empty();) {
        auto one = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        if (one.starts_with("m=")) memory = number(one.substr(2));
        if (one.starts_with("t=")) passes = number(one.substr(2));
        if (one.starts_with("p=")) lanes = number(one.substr(2));
    }
    return memory && passes && lanes && *memory <= most_argon2_memory && *passes <= most_argon2_work &&
           *memory * *passes <= most_argon2_work && *lanes <= most_argon2_lanes;
}

constexpr std::string_view ours = "$argon2id$v=19$m=19456,t=2,p=1$";

}  // namespace

bool is_other_hash(std::string_view hash) {
    return is_bcrypt(hash) || hash.starts_with(pbkdf2) ||
           (hash.starts_with("$argon2") && !hash.starts_with(ours));
}

bool any_password_matches(std::string_view hash, std::string_view password) {
    // bcrypt ends strings at NUL: "right\0anything" must not match.
    if (password.find('\0') != password.npos || hash.find('\0') != hash.npos) return false;
    if (!is_other_hash(hash)) return password_matches(hash, password);
    if (is_bcrypt(hash)) return bcrypt_matches(std::string(hash), std::string(password));
    if (hash.starts_with(pbkdf2)) return pbkdf2_matches(hash, password);
    return is_affordable_argon2(hash) && password_matches(hash, password);
}

}  // namespace base

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/stored_keys.hpp"

#include "base/crypto.hpp"
#include "base/signing.hpp"
#include "takeover/json.hpp"

namespace takeover {

namespace {

using namespace std::string_view_literals;

// Tag, length and contents (X.690).
std::string der(char tag, std::string_view contents) {
    std::string length;
    if (contents.size() < 0x80) length = static_cast<char>(contents.size());
    else {
        for (auto rest = contents.size(); rest > 0; rest >>= 8)
            length.insert(length.begin(), static_cast<char>(rest & 0xff));
        length.insert(length.begin(), static_cast<char>(0x80 | length.size()));
    }
    return tag + length + std::string(contents);
}

std::string der_number(std::string bytes) {
    bytes.erase(0, std::min(bytes.find_first_not_of('\0'), bytes.size()));
    const bool looks_negative = bytes.empty() || (static_cast<unsigned char>(bytes.front()) & 0x80) != 0;
    if (looks_negative) bytes.insert(bytes.begin(), '\0');
    return der(0x02, bytes);
}

std::optional<ap::PrivateKey> from_der(const char* kind, std::string_view bytes) {
    constexpr std::size_t line = 64;
    const std::string name = kind, all = base::base64(bytes);
    std::string lines;
    for (std::size_t at = 0; at < all.size(); at += line) lines += all.substr(at, line) + "\n";
    return ap::PrivateKey::from_pem(
        "-----BEGIN " + name + "-----\n" + lines + "-----END " + name + "-----\n"
    );
}

// Numbers of more digits are those of no key that is taken.
constexpr std::size_t longest_number = 2048;

std::optional<std::string> bytes_of(const JsonObject& jwk, const char* name) {
    const auto written = text(jwk, name);
    if (written.empty() || written.size() > longest_number) return std::nullopt;
    return base::from_base64(written);
}

std::optional<ap::PrivateKey> rsa_of(const JsonObject& jwk) {
    auto numbers = der_number("");
    for (const char* name : {"n", "e", "d", "p", "q", "dp", "dq", "qi"}) {
        auto bytes = bytes_of(jwk, name);
        if (!bytes) return std::nullopt;
        numbers += der_number(*std::move(bytes));
    }
    return from_der("RSA PRIVATE KEY", der(0x30, numbers));
}

std::optional<ap::PrivateKey> ed25519_of(const JsonObject& jwk) {
    const auto seed = bytes_of(jwk, "d"), point = bytes_of(jwk, "x");
    auto key = seed ? key_of_seed(*seed) : std::nullopt;
    if (!key || !point || key->public_key().multikey() != ap::to_multibase("\xed\x01" + *point))
        return std::nullopt;
    return key;
}

}  // namespace

std::optional<ap::PrivateKey> key_of_seed(std::string_view bytes) {
    constexpr std::size_t size = 32;
    constexpr auto before = "\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20"sv;
    if (bytes.size() != size) return std::nullopt;
    return from_der("PRIVATE KEY", std::string(before).append(bytes));
}

std::optional<ap::PrivateKey> key_of_pkcs1(std::string_view bytes) {
    return from_der("RSA PRIVATE KEY", bytes);
}

std::string bytes_of_column(std::string_view written) {
    auto digit = [](char c) {
        if (c >= '0' && c <= '9') return c - '0';
        return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 0;
    };
    std::string out;
    if (!written.starts_with("\\x")) return out;
    for (std::size_t at = 2; at + 1 < written.size(); at += 2)
        out += static_cast<char>(digit(written[at]) << 4 | digit(written[at + 1]));
    return out;
}

bool fits_itself(const ap::PrivateKey& key) {
    constexpr std::string_view message = "whether the two are a pair";
    return key.public_key().verifies(key.sign(message), message);
}

std::optional<ap::PrivateKey> key_of_jwk(std::string_view hidden, std::string_view shown) {
    const auto own = object_of(hidden), theirs = object_of(shown);
    if (!own || !theirs || text(*own, "kty") != text(*theirs, "kty")) return std::nullopt;
    const bool rsa = text(*own, "kty") == "RSA";
    for (const char* name : {"n", "e", "x"})
        if (text(*own, name) != text(*theirs, name)) return std::nullopt;
    auto key = rsa ? rsa_of(*own) : ed25519_of(*own);
    if (!key || !fits_itself(*key)) return std::nullopt;
    return key;
}

}  // namespace takeover

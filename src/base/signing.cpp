// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/signing.hpp"

#include "base/crypto.hpp"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <sodium.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

namespace base {

namespace {

const unsigned char* bytes_of(std::string_view s) { return reinterpret_cast<const unsigned char*>(s.data()); }
unsigned char* bytes_of(std::string& s) { return reinterpret_cast<unsigned char*>(s.data()); }

// The digits of both alphabets of base64; marked are those that stand in one of them only, doubly what stands in none.
constexpr std::uint8_t only_plain = 64, only_url_safe = 128, in_none = only_plain | only_url_safe;
constexpr auto base64_digits = [] {
    std::array<std::uint8_t, 256> table{};
    table.fill(in_none);
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    for (std::uint8_t i = 0; i < digits.size(); ++i) table[static_cast<unsigned char>(digits[i])] = i;
    table['+'] = only_plain | 62, table['/'] = only_plain | 63;
    table['-'] = only_url_safe | 62, table['_'] = only_url_safe | 63;
    return table;
}();

}  // namespace

std::optional<std::string> from_base64(std::string_view text) {
    while (text.ends_with('=')) text.remove_suffix(1);
    if (text.size() % 4 == 1) return std::nullopt;
    std::string out(text.size() * 3 / 4, '\0');
    auto next = out.begin();
    std::uint32_t held = 0;
    std::uint8_t marks = 0;
    int bits = 0;
    for (char c : text) {
        auto digit = base64_digits[static_cast<unsigned char>(c)];
        marks |= digit;
        held = held << 6 | (digit & 63U);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        *next++ = static_cast<char>(held >> bits & 0xFF);
    }
    // Bits that say nothing are zero, so that each text can be written in one way only.
    bool canonical = (held & ((1U << bits) - 1)) == 0;
    return canonical && (marks & in_none) != in_none ? std::optional(std::move(out)) : std::nullopt;
}

bool is_ed25519_key(std::string_view bytes) {
    return bytes.size() == crypto_sign_PUBLICKEYBYTES &&
           crypto_core_ed25519_is_valid_point(bytes_of(bytes)) == 1;
}

bool is_curve25519_key(std::string_view bytes) {
    return bytes.size() == crypto_scalarmult_BYTES && sodium_is_zero(bytes_of(bytes), bytes.size()) == 0;
}

bool is_p256_point(std::string_view bytes) {
    if (bytes.size() != 65 || bytes[0] != 4) return false;
    std::string point(bytes), group = "prime256v1";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group.data(), group.size()),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()),
        OSSL_PARAM_construct_end()
    };
    std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> context(
        EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr), EVP_PKEY_CTX_free
    );
    EVP_PKEY* key = nullptr;
    bool valid =
        context && EVP_PKEY_fromdata_init(context.get()) == 1 &&
        EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, const_cast<OSSL_PARAM*>(parameters)) == 1;
    EVP_PKEY_free(key);
    ERR_clear_error();  // TLS on this thread must not find our refusal
    return valid;
}

bool is_signed(std::string_view key, std::string_view signature, std::string_view message) {
    return key.size() == crypto_sign_PUBLICKEYBYTES && signature.size() == crypto_sign_BYTES &&
           crypto_sign_verify_detached(
               bytes_of(signature), bytes_of(message), message.size(), bytes_of(key)
           ) == 0;
}

std::string new_secret_key() { return random_bytes(crypto_secretbox_KEYBYTES); }

std::string seal(std::string_view key, std::string_view message) {
    auto sealed = random_bytes(crypto_secretbox_NONCEBYTES);
    std::string box(message.size() + crypto_secretbox_MACBYTES, '\0');
    crypto_secretbox_easy(bytes_of(box), bytes_of(message), message.size(), bytes_of(sealed), bytes_of(key));
    return sealed + box;
}

std::optional<std::string> unseal(std::string_view key, std::string_view sealed) {
    constexpr std::size_t around = crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES;
    if (key.size() != crypto_secretbox_KEYBYTES || sealed.size() < around) return std::nullopt;
    auto box = sealed.substr(crypto_secretbox_NONCEBYTES);
    std::string message(sealed.size() - around, '\0');
    if (crypto_secretbox_open_easy(
            bytes_of(message), bytes_of(box), box.size(), bytes_of(sealed), bytes_of(key)
        ) != 0)
        return std::nullopt;
    return message;
}

}  // namespace base

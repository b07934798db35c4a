// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/signing.hpp"

#include "base/crypto.hpp"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <sodium.h>
#include <algorithm>
#include <memory>

namespace base {

namespace {

const unsigned char* bytes_of(std::string_view s) { return reinterpret_cast<const unsigned char*>(s.data()); }
unsigned char* bytes_of(std::string& s) { return reinterpret_cast<unsigned char*>(s.data()); }

std::optional<std::string> decoded(std::string_view text, int variant) {
    std::string out(text.size(), '\0');
    std::size_t size = 0;
    const char* end = nullptr;
    if (sodium_base642bin(
            bytes_of(out), out.size(), text.data(), text.size(), nullptr, &size, &end, variant
        ) != 0 ||
        end != text.data() + text.size())
        return std::nullopt;
    out.resize(size);
    return out;
}

}  // namespace

std::optional<std::string> from_base64(std::string_view text) {
    while (text.ends_with('=')) text.remove_suffix(1);
    // libsodium accepts some bytes beyond ASCII as letters.
    if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) > '~'; }))
        return std::nullopt;
    bool url_safe = text.find_first_of("-_") != text.npos;
    return decoded(
        text, url_safe ? sodium_base64_VARIANT_URLSAFE_NO_PADDING : sodium_base64_VARIANT_ORIGINAL_NO_PADDING
    );
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
    ERR_clear_error();  // TLS on this thread must not see our error
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

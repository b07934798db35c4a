// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/crypto.hpp"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <sodium.h>
#include <memory>
#include <new>
#include <stdexcept>

namespace base {

namespace {

const bool sodium_ready = [] {
    if (sodium_init() < 0) throw std::runtime_error("libsodium does not start");
    return true;
}();

const unsigned char* bytes_of(std::string_view s) { return reinterpret_cast<const unsigned char*>(s.data()); }
unsigned char* bytes_of(std::string& s) { return reinterpret_cast<unsigned char*>(s.data()); }

std::string encoded(std::string_view bytes, int variant) {
    std::string out(sodium_base64_encoded_len(bytes.size(), variant), '\0');
    sodium_bin2base64(out.data(), out.size(), bytes_of(bytes), bytes.size(), variant);
    out.pop_back();  // the NUL that libsodium includes
    return out;
}

}  // namespace

std::string random_bytes(std::size_t count) {
    std::string out(count, '\0');
    randombytes_buf(out.data(), count);
    return out;
}

std::string random_token() { return base64url(random_bytes(32)); }

// From OpenSSL, because it uses the processor's SHA instructions.
std::string sha256(std::string_view s) {
    static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    thread_local const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(
        EVP_MD_CTX_new(), &EVP_MD_CTX_free
    );
    std::string out(32, '\0');
    if (!algorithm || !context || EVP_DigestInit_ex2(context.get(), algorithm, nullptr) != 1 ||
        EVP_DigestUpdate(context.get(), s.data(), s.size()) != 1 ||
        EVP_DigestFinal_ex(context.get(), bytes_of(out), nullptr) != 1)
        throw std::runtime_error("SHA-256 does not work");
    return out;
}

std::string sha256_hex(std::string_view s) { return hex(sha256(s)); }

std::string hmac_sha256(std::string_view key, std::string_view message) {
    std::string out(crypto_auth_hmacsha256_BYTES, '\0');
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, bytes_of(key), key.size());
    crypto_auth_hmacsha256_update(&state, bytes_of(message), message.size());
    crypto_auth_hmacsha256_final(&state, bytes_of(out));
    return out;
}

std::string hex(std::string_view bytes) {
    std::string out(bytes.size() * 2 + 1, '\0');
    sodium_bin2hex(out.data(), out.size(), bytes_of(bytes), bytes.size());
    out.pop_back();
    return out;
}

std::string base64url(std::string_view bytes) {
    return encoded(bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

std::string base64(std::string_view bytes) { return encoded(bytes, sodium_base64_VARIANT_ORIGINAL); }

bool same_secret(std::string_view a, std::string_view b) {
    return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string hash_password(std::string_view password) {
    char out[crypto_pwhash_STRBYTES];
    if (crypto_pwhash_str(out, password.data(), password.size(), 2, 19ULL << 20) != 0) throw std::bad_alloc();
    return out;
}

bool password_matches(std::string_view hash, std::string_view password) {
    return !hash.empty() &&
           crypto_pwhash_str_verify(std::string(hash).c_str(), password.data(), password.size()) == 0;
}

P256Key new_p256_key() {
    std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()), BIO_free);
    if (!key || !bio ||
        !PEM_write_bio_PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr))
        throw std::runtime_error("OpenSSL makes no P-256 key");
    char* pem = nullptr;
    auto size = BIO_get_mem_data(bio.get(), &pem);
    std::string point(65, '\0');
    std::size_t length = 0;
    if (!EVP_PKEY_get_octet_string_param(key.get(), "pub", bytes_of(point), point.size(), &length) ||
        length != 65)
        throw std::runtime_error("OpenSSL gives no public point");
    return {std::string(pem, static_cast<std::size_t>(size)), point};
}

}  // namespace base

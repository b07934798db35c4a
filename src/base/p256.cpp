// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/p256.hpp"

#include "base/crypto.hpp"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stdexcept>

namespace base {

namespace {

struct Free {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
    void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
    void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
    void operator()(ECDSA_SIG* signature) const { ECDSA_SIG_free(signature); }
    void operator()(BIO* bio) const { BIO_free(bio); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

constexpr std::size_t point_size = 65, number_size = 32, tag_size = 16;

const unsigned char* bytes_of(std::string_view s) { return reinterpret_cast<const unsigned char*>(s.data()); }
unsigned char* bytes_of(std::string& s) { return reinterpret_cast<unsigned char*>(s.data()); }

[[noreturn]] void fail(const char* what) {
    ERR_clear_error();
    throw std::runtime_error(std::string("OpenSSL cannot ") + what);
}

// Returns null if the point is not on the curve.
Owned<EVP_PKEY> public_key(std::string_view point) {
    std::string bytes(point), group = "prime256v1";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group.data(), group.size()),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, bytes.data(), bytes.size()),
        OSSL_PARAM_construct_end()
    };
    Owned<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr));
    EVP_PKEY* key = nullptr;
    if (!context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
        EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, const_cast<OSSL_PARAM*>(parameters)) != 1)
        ERR_clear_error();
    return Owned<EVP_PKEY>(key);
}

}  // namespace

P256::P256(std::shared_ptr<evp_pkey_st> key) : key_(std::move(key)), point_(point_size, '\0') {
    std::size_t size = 0;
    if (EVP_PKEY_get_octet_string_param(
            key_.get(), OSSL_PKEY_PARAM_PUB_KEY, bytes_of(point_), point_.size(), &size
        ) != 1 ||
        size != point_size)
        fail("tell the point of a key");
}

P256 P256::fresh() {
    std::shared_ptr<EVP_PKEY> key(EVP_EC_gen("P-256"), Free());
    if (!key) fail("make a P-256 key");
    return P256(std::move(key));
}

std::optional<P256> P256::from_pem(std::string_view pem) {
    Owned<BIO> bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    if (!bio) fail("read a key");
    std::shared_ptr<EVP_PKEY> key(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr), Free());
    char group[32] = "";
    if (!key || EVP_PKEY_get_group_name(key.get(), group, sizeof group, nullptr) != 1 ||
        std::string_view(group) != "prime256v1") {
        ERR_clear_error();
        return std::nullopt;
    }
    return P256(std::move(key));
}

std::optional<std::string> P256::shared_secret(std::string_view point) const {
    if (point.size() != point_size) return std::nullopt;
    auto other = public_key(point);
    if (!other) return std::nullopt;
    Owned<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new(key_.get(), nullptr));
    std::string secret(number_size, '\0');
    auto size = secret.size();
    if (!context || EVP_PKEY_derive_init(context.get()) != 1 ||
        EVP_PKEY_derive_set_peer(context.get(), other.get()) != 1 ||
        EVP_PKEY_derive(context.get(), bytes_of(secret), &size) != 1 || size != number_size)
        fail("agree on a secret");
    return secret;
}

std::string P256::sign(std::string_view message) const {
    Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
    std::string der(80, '\0');
    auto size = der.size();
    if (!context || EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) != 1 ||
        EVP_DigestSign(context.get(), bytes_of(der), &size, bytes_of(message), message.size()) != 1)
        fail("sign");
    const auto* begin = bytes_of(std::string_view(der));
    Owned<ECDSA_SIG> signature(d2i_ECDSA_SIG(nullptr, &begin, static_cast<long>(size)));
    std::string out(2 * number_size, '\0');
    constexpr int width = number_size;
    if (!signature || BN_bn2binpad(ECDSA_SIG_get0_r(signature.get()), bytes_of(out), width) != width ||
        BN_bn2binpad(ECDSA_SIG_get0_s(signature.get()), bytes_of(out) + width, width) != width)
        fail("write a signature");
    return out;
}

std::string hkdf_sha256(
    std::string_view salt, std::string_view secret, std::string_view info, std::size_t size
) {
    auto key = hmac_sha256(salt, secret);
    return hmac_sha256(key, std::string(info) + '\1').substr(0, size);
}

std::string aes128gcm(std::string_view key, std::string_view nonce, std::string_view text) {
    if (key.size() != 16 || nonce.size() != 12) throw std::runtime_error("not a key of AES-128-GCM");
    Owned<EVP_CIPHER_CTX> context(EVP_CIPHER_CTX_new());
    std::string out(text.size() + tag_size, '\0');
    int size = 0, rest = 0;
    if (!context ||
        EVP_EncryptInit_ex2(context.get(), EVP_aes_128_gcm(), bytes_of(key), bytes_of(nonce), nullptr) != 1 ||
        EVP_EncryptUpdate(
            context.get(), bytes_of(out), &size, bytes_of(text), static_cast<int>(text.size())
        ) != 1 ||
        EVP_EncryptFinal_ex(context.get(), bytes_of(out) + size, &rest) != 1 ||
        EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, tag_size, bytes_of(out) + text.size()) != 1)
        fail("seal a text");
    return out;
}

std::optional<std::string> p256_pem(std::string_view number, std::string_view point) {
    if (number.size() != number_size || point.size() != point_size) return std::nullopt;
    // OSSL_PARAM expects numbers in native byte order.
    std::string little(number.rbegin(), number.rend()), bytes(point), group = "prime256v1";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group.data(), group.size()),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, bytes.data(), bytes.size()),
        OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, bytes_of(little), little.size()),
        OSSL_PARAM_construct_end()
    };
    Owned<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr));
    EVP_PKEY* made = nullptr;
    const bool read =
        context && EVP_PKEY_fromdata_init(context.get()) == 1 &&
        EVP_PKEY_fromdata(context.get(), &made, EVP_PKEY_KEYPAIR, const_cast<OSSL_PARAM*>(parameters)) == 1;
    const Owned<EVP_PKEY> key(made);
    Owned<EVP_PKEY_CTX> checking(key ? EVP_PKEY_CTX_new_from_pkey(nullptr, key.get(), nullptr) : nullptr);
    const bool pair = read && checking && EVP_PKEY_pairwise_check(checking.get()) == 1;
    ERR_clear_error();
    if (!pair) return std::nullopt;
    const Owned<BIO> bio(BIO_new(BIO_s_mem()));
    if (!bio || !PEM_write_bio_PKCS8PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr))
        fail("write a key");
    char* pem = nullptr;
    const auto size = BIO_get_mem_data(bio.get(), &pem);
    return std::string(pem, static_cast<std::size_t>(size));
}

}  // namespace base

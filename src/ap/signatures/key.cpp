// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/key.hpp"

#include "base/crypto.hpp"
#include "base/signing.hpp"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <stdexcept>

namespace ap {

namespace {

constexpr int fewest_bits = 2048, most_bits = 8192;
constexpr std::size_t most_pem = 8192;  // an RSA key of 8192 bits has 1,500 characters

constexpr std::string_view ed25519_codec = "\xed\x01", rsa_codec = "\x85\x24";
// SubjectPublicKeyInfo of Ed25519 (RFC 8410, section 4) up to the key itself.
constexpr std::string_view ed25519_spki{"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00", 12};

using Key = std::shared_ptr<EVP_PKEY>;
using Context = std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)>;

const unsigned char* bytes_of(std::string_view s) { return reinterpret_cast<const unsigned char*>(s.data()); }
unsigned char* bytes_of(std::string& s) { return reinterpret_cast<unsigned char*>(s.data()); }

Key owned(EVP_PKEY* key) {
    ERR_clear_error();  // TLS on this thread must not find what was refused here
    return key ? Key(key, EVP_PKEY_free) : nullptr;
}

// Looked up once: OpenSSL 3.0 searches its providers by name at every use otherwise.
const EVP_MD* sha256() {
    static EVP_MD* const found = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    return found;
}

bool prepare(EVP_PKEY_CTX* context, int (*begin)(EVP_PKEY_CTX*)) {
    return context && begin(context) == 1 && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1 &&
           EVP_PKEY_CTX_set_signature_md(context, sha256()) == 1;
}

Context context_of(const Key& key) {
    return {EVP_PKEY_CTX_new_from_pkey(nullptr, key.get(), nullptr), EVP_PKEY_CTX_free};
}

// An exponent of 1 would make every message its own signature; a long one is there to waste time.
bool is_sound(EVP_PKEY* key) {
    if (!EVP_PKEY_is_a(key, "RSA")) return false;
    const int bits = EVP_PKEY_get_bits(key);
    BIGNUM* exponent = nullptr;
    if (bits < fewest_bits || bits > most_bits ||
        EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &exponent) != 1)
        return false;
    const bool sound = BN_is_odd(exponent) && !BN_is_one(exponent) && BN_num_bits(exponent) <= 64;
    BN_free(exponent);
    return sound;
}

template <class Write>
std::string der_of(Write write) {
    unsigned char* begin = nullptr;
    const int size = write(&begin);
    if (size <= 0) throw std::runtime_error("OpenSSL does not write a key");
    std::string out(reinterpret_cast<char*>(begin), static_cast<std::size_t>(size));
    OPENSSL_free(begin);
    return out;
}

std::string armoured(std::string_view der) {
    std::string out = "-----BEGIN PUBLIC KEY-----\n";
    const auto text = base::base64(der);
    for (std::size_t at = 0; at < text.size(); at += 64) out += text.substr(at, 64) + "\n";
    return out + "-----END PUBLIC KEY-----\n";
}

// What stands between the two lines of dashes. Peers send spaces for newlines, or no newline at the end.
std::optional<std::string> unarmoured(std::string_view pem) {
    constexpr std::string_view dashes = "-----";
    if (pem.size() > most_pem) return std::nullopt;
    const auto label = pem.find("-----BEGIN ");
    const auto begin = label == pem.npos ? pem.npos : pem.find(dashes, label + dashes.size());
    const auto end = begin == pem.npos ? pem.npos : pem.find("-----END ", begin + dashes.size());
    if (end == pem.npos || pem.substr(label, begin - label).find("PUBLIC KEY") == pem.npos)
        return std::nullopt;
    std::string text;
    for (char c : pem.substr(begin + dashes.size(), end - begin - dashes.size()))
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t') text += c;
    return base::from_base64(text);
}

// SubjectPublicKeyInfo of RSA (RFC 3279, section 2.3.1) with at least 2048 bits: its length in two bytes, and the algorithm.
bool is_shaped_like_rsa(std::string_view der) {
    constexpr std::size_t head = 4, of_2048_bits = 292, of_8192_bits = 1070;
    constexpr std::string_view algorithm{"\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00", 15};
    if (der.size() < of_2048_bits || der.size() > of_8192_bits || !der.starts_with("\x30\x82")) return false;
    const auto length = static_cast<std::size_t>(
        static_cast<unsigned char>(der[2]) << 8 | static_cast<unsigned char>(der[3])
    );
    return length == der.size() - head && der.substr(head).starts_with(algorithm);
}

}  // namespace

std::optional<PublicKey> PublicKey::from_pem(std::string_view pem) {
    auto der = unarmoured(pem);
    return der ? from_der(*der) : std::nullopt;
}

std::optional<std::string> PublicKey::tidied(std::string_view pem) {
    const auto der = unarmoured(pem);
    if (der && is_shaped_like_rsa(*der)) return armoured(*der);
    const auto key = der ? from_der(*der) : std::nullopt;
    return key ? std::optional(key->pem()) : std::nullopt;
}

std::optional<PublicKey> PublicKey::from_multikey(std::string_view text) {
    const auto bytes = from_multibase(text);
    if (!bytes) return std::nullopt;
    const auto key = std::string_view(*bytes).substr(std::min<std::size_t>(2, bytes->size()));
    if (bytes->starts_with(ed25519_codec)) return from_der(std::string(ed25519_spki) + std::string(key));
    if (bytes->starts_with(rsa_codec)) return from_der(key);
    return std::nullopt;
}

std::optional<PublicKey> PublicKey::from_der(std::string_view der) {
    if (der.starts_with(ed25519_spki)) {
        PublicKey out;
        out.ed25519_ = der.substr(ed25519_spki.size());
        return base::is_ed25519_key(out.ed25519_) ? std::optional(out) : std::nullopt;
    }
    const auto size = static_cast<long>(der.size());
    const auto* at = bytes_of(der);
    if (auto key = owned(d2i_PUBKEY(nullptr, &at, size)); key && at == bytes_of(der) + der.size())
        return from_evp(key);
    at = bytes_of(der);
    if (auto key = owned(d2i_PublicKey(EVP_PKEY_RSA, nullptr, &at, size));
        key && at == bytes_of(der) + der.size())
        return from_evp(key);
    return std::nullopt;
}

std::optional<PublicKey> PublicKey::from_evp(Key key) {
    if (!is_sound(key.get())) return std::nullopt;
    PublicKey out;
    out.rsa_ = std::move(key);
    return out;
}

std::string PublicKey::pem() const {
    if (!rsa_) return armoured(std::string(ed25519_spki) + ed25519_);
    return armoured(der_of([&](unsigned char** out) { return i2d_PUBKEY(rsa_.get(), out); }));
}

std::string PublicKey::multikey() const {
    if (!rsa_) return to_multibase(std::string(ed25519_codec) + ed25519_);
    return to_multibase(std::string(rsa_codec) + der_of([&](unsigned char** out) {
                            return i2d_PublicKey(rsa_.get(), out);
                        }));
}

bool PublicKey::verifies(std::string_view signature, std::string_view message) const {
    if (!rsa_) return base::is_signed(ed25519_, signature, message);
    const auto digest = base::sha256(message);
    const auto context = context_of(rsa_);
    const bool good =
        prepare(context.get(), EVP_PKEY_verify_init) &&
        EVP_PKEY_verify(
            context.get(), bytes_of(signature), signature.size(), bytes_of(digest), digest.size()
        ) == 1;
    ERR_clear_error();
    return good;
}

PrivateKey PrivateKey::new_rsa() {
    auto key = owned(EVP_RSA_gen(2048));
    if (!key) throw std::runtime_error("OpenSSL makes no RSA key");
    return PrivateKey(key);
}

std::optional<PrivateKey> PrivateKey::from_pem(std::string_view pem) {
    std::unique_ptr<BIO, decltype(&BIO_free)> bio(
        BIO_new_mem_buf(pem.data(), static_cast<int>(std::min<std::size_t>(pem.size(), 65536))), BIO_free
    );
    // Without a function of ours OpenSSL would ask the terminal for the password of an encrypted key.
    auto no_password = [](char*, int, int, void*) { return 0; };
    auto key = bio ? owned(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr)) : nullptr;
    if (!key || (!EVP_PKEY_is_a(key.get(), "ED25519") && !is_sound(key.get()))) return std::nullopt;
    return PrivateKey(key);
}

KeyKind PrivateKey::kind() const {
    return EVP_PKEY_is_a(key_.get(), "RSA") ? KeyKind::rsa : KeyKind::ed25519;
}

std::string PrivateKey::pem() const {
    std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()), BIO_free);
    if (!bio || !PEM_write_bio_PKCS8PrivateKey(bio.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr))
        throw std::runtime_error("OpenSSL does not write a key");
    char* pem = nullptr;
    const auto size = BIO_get_mem_data(bio.get(), &pem);
    return {pem, static_cast<std::size_t>(size)};
}

PublicKey PrivateKey::public_key() const {
    auto der = der_of([&](unsigned char** out) { return i2d_PUBKEY(key_.get(), out); });
    return PublicKey::from_der(der).value();
}

std::string PrivateKey::sign(std::string_view message) const {
    std::string out(static_cast<std::size_t>(EVP_PKEY_get_size(key_.get())), '\0');
    auto size = out.size();
    bool good = false;
    if (kind() == KeyKind::rsa) {
        const auto digest = base::sha256(message);
        const auto context = context_of(key_);
        good = prepare(context.get(), EVP_PKEY_sign_init) &&
               EVP_PKEY_sign(context.get(), bytes_of(out), &size, bytes_of(digest), digest.size()) == 1;
    } else {
        std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
        good = context && EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1 &&
               EVP_DigestSign(context.get(), bytes_of(out), &size, bytes_of(message), message.size()) == 1;
    }
    if (!good) throw std::runtime_error("OpenSSL does not sign");
    out.resize(size);
    return out;
}

}  // namespace ap

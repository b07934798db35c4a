// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/key.hpp"

#include "base/crypto.hpp"

#include <gtest/gtest.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>

namespace {

const ap::PrivateKey& rsa() {
    static const auto key = ap::PrivateKey::new_rsa();
    return key;
}

// RFC 8410, section 10.3
constexpr auto ed25519_pem =
    "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END "
    "PRIVATE KEY-----\n";
const ap::PrivateKey& ed25519() {
    static const auto key = ap::PrivateKey::from_pem(ed25519_pem).value();
    return key;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += with.size())
        text.replace(at, what.size(), with);
    return text;
}

std::string pem_of(EVP_PKEY* key, bool encrypted_private = false) {
    BIO* bio = BIO_new(BIO_s_mem());
    char password[] = "password";
    if (encrypted_private)
        PEM_write_bio_PKCS8PrivateKey(bio, key, EVP_aes_128_cbc(), password, 8, nullptr, nullptr);
    else PEM_write_bio_PUBKEY(bio, key);
    char* text = nullptr;
    const auto size = BIO_get_mem_data(bio, &text);
    std::string out(text, static_cast<std::size_t>(size));
    BIO_free(bio);
    return out;
}

// A key that need not be one: a modulus of ones, and any exponent.
std::string rsa_of(int bits, unsigned long exponent) {
    BIGNUM *n = BN_new(), *e = BN_new();
    BN_one(n);
    BN_lshift(n, n, bits);
    BN_sub_word(n, 1);
    BN_set_word(e, exponent);
    OSSL_PARAM_BLD* build = OSSL_PARAM_BLD_new();
    OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, n);
    OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, e);
    OSSL_PARAM* parameters = OSSL_PARAM_BLD_to_param(build);
    EVP_PKEY_CTX* context = EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr);
    EVP_PKEY* key = nullptr;
    EVP_PKEY_fromdata_init(context);
    EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters);
    auto out = pem_of(key);
    EVP_PKEY_free(key);
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(build);
    BN_free(n);
    BN_free(e);
    return out;
}

TEST(Keys, are_read_however_their_lines_were_broken) {
    for (const auto* key : {&rsa(), &ed25519()}) {
        const auto public_key = key->public_key();
        const auto pem = public_key.pem();
        EXPECT_EQ(ap::PublicKey::from_pem(pem), public_key);
        for (auto newline : {"", " ", "\r\n", "\n\n", "\n\t"})
            EXPECT_EQ(ap::PublicKey::from_pem(replaced(pem, "\n", newline)), public_key) << newline;
        EXPECT_EQ(ap::PublicKey::from_pem("\n  " + pem + "\n\n"), public_key);
    }
}

TEST(Keys, of_rsa_may_come_as_pkcs_1_too) {
    const auto public_key = rsa().public_key();
    const auto der = ap::from_multibase(public_key.multikey()).value().substr(2);
    const auto pkcs1 =
        "-----BEGIN RSA PUBLIC KEY-----\n" + base::base64(der) + "\n-----END RSA PUBLIC KEY-----";
    EXPECT_EQ(ap::PublicKey::from_pem(pkcs1), public_key);
    EXPECT_EQ(ap::PublicKey::from_pem(replaced(pkcs1, "RSA ", "")), public_key);
}

TEST(Keys, of_many_are_tidied_without_being_parsed) {
    for (const auto* key : {&rsa(), &ed25519()}) {
        const auto pem = key->public_key().pem();
        for (auto newline : {"\n", "", " ", "\r\n"})
            EXPECT_EQ(ap::PublicKey::tidied(replaced(pem, "\n", newline)), pem) << newline;
    }
    const auto pem = rsa().public_key().pem();
    const auto der = ap::from_multibase(rsa().public_key().multikey()).value().substr(2);
    EXPECT_EQ(
        ap::PublicKey::tidied(
            "-----BEGIN RSA PUBLIC KEY-----\n" + base::base64(der) + "\n-----END RSA PUBLIC KEY-----"
        ),
        pem
    );
    EXPECT_EQ(ap::PublicKey::tidied(rsa_of(4096, 3)), rsa_of(4096, 3));
    for (const auto& text :
         {std::string(),
          std::string("x"),
          rsa().pem(),
          rsa_of(1024, 65537),
          pem.substr(0, 300),
          pem.substr(100)})
        EXPECT_FALSE(ap::PublicKey::tidied(text)) << text;
}

TEST(Keys, are_written_as_multikeys_and_read_back) {
    EXPECT_TRUE(rsa().public_key().multikey().starts_with("z4MX"));
    EXPECT_TRUE(ed25519().public_key().multikey().starts_with("z6Mk"));
    for (const auto* key : {&rsa(), &ed25519()}) {
        const auto public_key = key->public_key();
        EXPECT_EQ(ap::PublicKey::from_multikey(public_key.multikey()), public_key);
        const auto bytes = ap::from_multibase(public_key.multikey()).value();
        EXPECT_EQ(ap::PublicKey::from_multikey("u" + base::base64url(bytes)), public_key);
        EXPECT_FALSE(ap::PublicKey::from_multikey(ap::to_multibase(bytes + '\0')));
        EXPECT_FALSE(ap::PublicKey::from_multikey(ap::to_multibase(bytes.substr(0, bytes.size() - 1))));
        EXPECT_FALSE(ap::PublicKey::from_multikey(ap::to_multibase(bytes.substr(1))));
    }
    EXPECT_NE(rsa().public_key(), ed25519().public_key());
}

TEST(Keys, too_weak_or_too_large_to_be_used_are_refused) {
    EXPECT_TRUE(ap::PublicKey::from_pem(rsa_of(2048, 65537)));
    EXPECT_TRUE(ap::PublicKey::from_pem(rsa_of(4096, 3)));
    for (auto bits : {512, 1024, 2047, 8193, 16384})
        EXPECT_FALSE(ap::PublicKey::from_pem(rsa_of(bits, 65537))) << bits;
    for (auto exponent : {0ul, 1ul, 2ul, 65536ul})
        EXPECT_FALSE(ap::PublicKey::from_pem(rsa_of(2048, exponent))) << exponent;
    // Points of small order, for which any signature can be made.
    for (const auto& point : {std::string(32, '\0'), "\x01" + std::string(31, '\0')})
        EXPECT_FALSE(ap::PublicKey::from_multikey(ap::to_multibase("\xed\x01" + point)));
}

TEST(Keys, that_are_none_are_refused) {
    const auto pem = rsa().public_key().pem();
    for (const auto& text :
         {std::string(),
          std::string("x"),
          rsa().pem(),
          pem.substr(0, 200),
          replaced(pem, "-----END PUBLIC KEY-----", ""),
          replaced(pem, "PUBLIC KEY", "CERTIFICATE"),
          std::string("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n"),
          std::string("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"),
          std::string("-----BEGIN PUBLIC KEY-----\n####\n-----END PUBLIC KEY-----\n"),
          "-----BEGIN PUBLIC KEY-----" + std::string(1 << 20, 'A') + "-----END PUBLIC KEY-----"})
        EXPECT_FALSE(ap::PublicKey::from_pem(text)) << text.substr(0, 100);
    EVP_PKEY* other = EVP_EC_gen("P-256");
    EXPECT_FALSE(ap::PublicKey::from_pem(pem_of(other)));
    EVP_PKEY_free(other);
    for (auto text : {"", "z", "u", "z6Mk", "zzzz"}) EXPECT_FALSE(ap::PublicKey::from_multikey(text)) << text;
}

TEST(Keys, sign_what_their_public_half_verifies_and_nothing_else) {
    for (const auto* key : {&rsa(), &ed25519()}) {
        const auto signature = key->sign("message");
        EXPECT_EQ(key->sign("message"), signature);
        EXPECT_TRUE(key->public_key().verifies(signature, "message"));
        EXPECT_FALSE(key->public_key().verifies(signature, "Message"));
        EXPECT_FALSE(key->public_key().verifies("", "message"));
        EXPECT_FALSE(key->public_key().verifies(signature + "x", "message"));
        EXPECT_FALSE(key->public_key().verifies(signature.substr(1), "message"));
    }
    EXPECT_FALSE(rsa().public_key().verifies(ed25519().sign("message"), "message"));
    EXPECT_FALSE(ed25519().public_key().verifies(rsa().sign("message"), "message"));
}

TEST(Keys, that_are_private_are_kept_as_pkcs_8) {
    for (const auto* key : {&rsa(), &ed25519()}) {
        EXPECT_TRUE(key->pem().starts_with("-----BEGIN PRIVATE KEY-----\n"));
        const auto again = ap::PrivateKey::from_pem(key->pem());
        ASSERT_TRUE(again);
        EXPECT_EQ(again->kind(), key->kind());
        EXPECT_EQ(again->public_key(), key->public_key());
    }
    EXPECT_FALSE(ap::PrivateKey::from_pem(""));
    EXPECT_FALSE(ap::PrivateKey::from_pem(rsa().public_key().pem()));
    EVP_PKEY* secret = EVP_RSA_gen(2048);
    EXPECT_FALSE(ap::PrivateKey::from_pem(pem_of(secret, true)));  // and nobody is asked for its password
    EVP_PKEY_free(secret);
}

}  // namespace

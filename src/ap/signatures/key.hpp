// SPDX-License-Identifier: AGPL-3.0-or-later
// Keys of actors: RSA (RSASSA-PKCS1-v1_5 with SHA-256) and Ed25519. Parsing one costs more than using it, so
// keep it; copies share the parsed key and may be used by several threads.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct evp_pkey_st;

namespace ap {

enum class KeyKind { rsa, ed25519 };

class PublicKey {
public:
    // SPKI or PKCS#1, with any line breaks. Empty for an invalid or weak key: RSA must have 2048 to 8192
    // bits.
    static std::optional<PublicKey> from_pem(std::string_view);
    // publicKeyMultibase of a Multikey (FEP-521a): 0xed01 and 32 bytes, or 0x8524 and PKCS#1.
    static std::optional<PublicKey> from_multikey(std::string_view);
    // The numbers of an RSA key, in decimal digits.
    static std::optional<PublicKey> from_numbers(const std::string& n, const std::string& e);

    // The pem() of such a key, cheap enough for many keys: one shaped like an RSA key is not parsed, which
    // would take a millisecond, so it may turn out to be invalid when it is used.
    static std::optional<std::string> tidied(std::string_view pem);

    KeyKind kind() const { return rsa_ ? KeyKind::rsa : KeyKind::ed25519; }
    std::string pem() const;  // SPKI
    std::string multikey() const;
    bool verifies(std::string_view signature, std::string_view message) const;
    bool operator==(const PublicKey& other) const { return pem() == other.pem(); }

private:
    friend class PrivateKey;
    static std::optional<PublicKey> from_der(std::string_view);
    static std::optional<PublicKey> from_evp(std::shared_ptr<evp_pkey_st>);

    std::shared_ptr<evp_pkey_st> rsa_;
    std::string ed25519_;  // 32 bytes, when it is not RSA
};

class PrivateKey {
public:
    static PrivateKey new_rsa();  // 2048 bits: some 200 ms of CPU
    static std::optional<PrivateKey> from_pem(std::string_view);
    struct RsaNumbers {
        std::string n, e, d, p, q;  // decimal digits
    };
    static std::optional<PrivateKey> from_numbers(const RsaNumbers&);

    KeyKind kind() const;
    std::string pem() const;  // PKCS#8
    PublicKey public_key() const;
    std::string sign(std::string_view message) const;

private:
    explicit PrivateKey(std::shared_ptr<evp_pkey_st> key) : key_(std::move(key)) {}
    std::shared_ptr<evp_pkey_st> key_;
};

// Bytes as Multibase text (W3C Controlled Identifiers, section 2.4): base58btc ("z…") and base64url ("u…").
std::string to_multibase(std::string_view bytes);  // base58btc
// Empty when it is in neither form or longer than a key or signature can be.
std::optional<std::string> from_multibase(std::string_view);

}  // namespace ap

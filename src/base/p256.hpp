// SPDX-License-Identifier: AGPL-3.0-or-later
// The curve P-256 and the cryptography for Web Push built on it: key agreement, key derivation, one encrypted
// record, and signatures of JSON Web Tokens (ES256).
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct evp_pkey_st;

namespace base {

class P256 {
public:
    static P256 fresh();
    static std::optional<P256> from_pem(std::string_view);  // a private key

    const std::string& point() const { return point_; }  // 65 bytes, uncompressed
    // ECDH with another key's point (65 bytes, uncompressed); nullopt if that is not on the curve.
    std::optional<std::string> shared_secret(std::string_view point) const;
    // ECDSA with SHA-256: 64 bytes, in the format of JSON Web Tokens.
    std::string sign(std::string_view message) const;

private:
    explicit P256(std::shared_ptr<evp_pkey_st> key);
    std::shared_ptr<evp_pkey_st> key_;
    std::string point_;
};

// A PEM key from a private number and its public point, as browsers and other servers store them; nullopt if
// they do not belong together.
std::optional<std::string> p256_pem(std::string_view number, std::string_view point);

// HKDF with SHA-256 (RFC 5869), at most 32 bytes.
std::string hkdf_sha256(
    std::string_view salt, std::string_view secret, std::string_view info, std::size_t size
);
// AES-128-GCM: the ciphertext followed by its tag of 16 bytes. The key has 16 bytes, the nonce 12.
std::string aes128gcm(std::string_view key, std::string_view nonce, std::string_view text);

}  // namespace base

// SPDX-License-Identifier: AGPL-3.0-or-later
// The curve P-256 and what is built on it for Web Push: agreeing on a secret, keys made of that, one sealed record, and
// signatures of JSON Web Tokens (ES256).
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
    // Of this key and the point of another (65 bytes, uncompressed); nothing when that is no point of the curve.
    std::optional<std::string> shared_secret(std::string_view point) const;
    // ECDSA with SHA-256: 64 bytes, as JSON Web Tokens have it.
    std::string sign(std::string_view message) const;

private:
    explicit P256(std::shared_ptr<evp_pkey_st> key);
    std::shared_ptr<evp_pkey_st> key_;
    std::string point_;
};

// In PEM, from the number and the point that belongs to it, as browsers and other servers write them; nothing when they are no
// pair.
std::optional<std::string> p256_pem(std::string_view number, std::string_view point);

// HKDF with SHA-256 (RFC 5869), of 32 bytes at most.
std::string hkdf_sha256(
    std::string_view salt, std::string_view secret, std::string_view info, std::size_t size
);
// AES-128-GCM: the text sealed, with its tag of 16 bytes behind it. The key has 16 bytes, the nonce 12.
std::string aes128gcm(std::string_view key, std::string_view nonce, std::string_view text);

}  // namespace base

// SPDX-License-Identifier: AGPL-3.0-or-later
// Key checks and signatures for end-to-end encryption and Web Push, and encryption that only we can reverse.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace base {

// Decodes standard or URL-safe base64, padded or not; nullopt if it is neither.
std::optional<std::string> from_base64(std::string_view);

bool is_ed25519_key(std::string_view bytes);  // a point for which signatures are meaningful
bool is_curve25519_key(std::string_view bytes);
bool is_p256_point(std::string_view bytes);  // 65 bytes, uncompressed, on the curve
bool is_signed(std::string_view ed25519_key, std::string_view signature, std::string_view message);

std::string new_secret_key();                                      // 32 bytes, for seal()
std::string seal(std::string_view key, std::string_view message);  // XSalsa20-Poly1305 after a fresh nonce
std::optional<std::string> unseal(std::string_view key, std::string_view sealed);

}  // namespace base

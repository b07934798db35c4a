// SPDX-License-Identifier: AGPL-3.0-or-later
// Hashes, hashes of passwords, random secrets, encodings.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace base {

std::string random_bytes(std::size_t count);
std::string random_token();                // 32 random bytes in URL-safe base64: 43 characters
std::string sha256(std::string_view);      // 32 raw bytes
std::string sha256_hex(std::string_view);  // lower case
std::string hmac_sha256(std::string_view key, std::string_view message);
std::string hex(std::string_view bytes);
std::string base64url(std::string_view bytes);  // without padding
std::string base64(std::string_view bytes);
bool same_secret(std::string_view, std::string_view);  // in constant time

// Argon2id, 19 MiB and two passes: about 30 ms of CPU, so call it on a CPU thread, never in a session.
std::string hash_password(std::string_view password);
bool password_matches(std::string_view hash, std::string_view password);

// Password hashes of other server software, taken over together with its database
// (sign_in/other_passwords.cpp):
//
//   $2a$10$… $2b$ $2y$             bcrypt: Mastodon, GoToSocial
//   $pbkdf2-sha512$160000$…$…      Pleroma, with its own base64 alphabet
//   $argon2id$v=19$m=…,t=…,p=…$…   Argon2 with other costs or lanes, or Argon2i: Hollo, Mitra, Akkoma
//
// The cost is part of the hash: one that would take more than about a second never matches, wherever it came
// from.

// Whether the hash has another form than hash_password makes; it can be replaced once its owner enters the
// password.
bool is_other_hash(std::string_view hash);
// Accepts hashes of those forms and our own. Takes up to a second of CPU: call it on a CPU thread.
bool any_password_matches(std::string_view hash, std::string_view password);

struct P256Key {
    std::string private_pem;
    std::string public_point;  // 65 bytes, uncompressed
};
P256Key new_p256_key();

}  // namespace base

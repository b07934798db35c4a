// SPDX-License-Identifier: AGPL-3.0-or-later
// Encrypts messages end-to-end for the browser: RFC 8188 and RFC 8291 (aes128gcm), and the earlier draft
// (draft-ietf-webpush-encryption-04, aesgcm) that older clients request. One record each.
#pragma once
#include "base/p256.hpp"

namespace push {

// The keys that the browser sent with its subscription.
struct Receiver {
    std::string point, secret;  // keys.p256dh and keys.auth, as bytes
};

// One record of RFC 8188, with its header.
std::string sealed_record(
    std::string_view secret, std::string_view salt, std::string_view key_id, std::string_view text
);

// A complete aes128gcm body. Key and salt must be fresh for each message. Throws if the receiver's point is
// invalid.
std::string aes128gcm_body(
    const Receiver&, const base::P256& sender, std::string_view salt, std::string_view text
);
// A body of aesgcm: the salt and the sender's point are sent in headers.
std::string aesgcm_body(
    const Receiver&, const base::P256& sender, std::string_view salt, std::string_view text
);

}  // namespace push

// SPDX-License-Identifier: AGPL-3.0-or-later
// A message that nobody between us and the browser can read: RFC 8188 and RFC 8291 (aes128gcm), and the draft before
// them (draft-ietf-webpush-encryption-04, aesgcm) that older clients ask for. One record each.
#pragma once
#include "base/p256.hpp"

namespace push {

// What the browser told when it subscribed.
struct Receiver {
    std::string point, secret;  // keys.p256dh and keys.auth, as bytes
};

// One record of RFC 8188, with its header before it.
std::string sealed_record(
    std::string_view secret, std::string_view salt, std::string_view key_id, std::string_view text
);

// A whole body of aes128gcm. Key and salt are fresh ones, of this message alone. Throws where the receiver's point is
// none.
std::string aes128gcm_body(
    const Receiver&, const base::P256& sender, std::string_view salt, std::string_view text
);
// A body of aesgcm: the receiver is told the salt and the sender's point in headers.
std::string aesgcm_body(
    const Receiver&, const base::P256& sender, std::string_view salt, std::string_view text
);

}  // namespace push

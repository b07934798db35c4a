// SPDX-License-Identifier: AGPL-3.0-or-later
// Passkeys (WebAuthn, level 2): what a browser brings from an authenticator, read and verified with libfido2. Everything
// here is bytes, not base64.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace base {

// What the browser was asked for, which its answer has to be about.
struct PasskeyQuestion {
    std::string challenge;
    std::string origin;   // "https://example.org"
    std::string host;     // the relying party: "example.org"
    bool person = false;  // the authenticator must have made sure who holds it, by a PIN or a finger
};

struct NewPasskey {
    std::string id, key;
    int algorithm = 0;  // COSE's number
};
// A new one. Who made the authenticator is not asked (attestation "none").
std::optional<NewPasskey> made_passkey(
    const PasskeyQuestion&, std::string_view client_data, std::string_view authenticator_data
);

struct ShownPasskey {
    std::int64_t uses = 0;  // as the authenticator counts them; 0: it does not
};
// One that is known, used now; nothing when the answer is not its.
std::optional<ShownPasskey> shown_passkey(
    const PasskeyQuestion&, const NewPasskey& known, std::string_view client_data,
    std::string_view authenticator_data, std::string_view signature
);

}  // namespace base

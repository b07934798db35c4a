// SPDX-License-Identifier: AGPL-3.0-or-later
// Passkeys (WebAuthn Level 2): the responses of an authenticator, parsed and verified with libfido2.
// Everything here is raw bytes, not base64.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace base {

// What the browser was asked for; its response must match.
struct PasskeyQuestion {
    std::string challenge;
    std::string origin;   // "https://example.org"
    std::string host;     // the relying party: "example.org"
    bool person = false;  // user verification is required, by a PIN or a fingerprint
};

struct NewPasskey {
    std::string id, key;
    int algorithm = 0;  // COSE's number
};
// Verifies a registration. The manufacturer of the authenticator is not checked (attestation "none").
std::optional<NewPasskey> made_passkey(
    const PasskeyQuestion&, std::string_view client_data, std::string_view authenticator_data
);

struct ShownPasskey {
    std::int64_t uses = 0;  // the authenticator's signature counter; 0: it has none
};
// Verifies a sign-in with a known passkey; nullopt if the response does not match.
std::optional<ShownPasskey> shown_passkey(
    const PasskeyQuestion&, const NewPasskey& known, std::string_view client_data,
    std::string_view authenticator_data, std::string_view signature
);

}  // namespace base

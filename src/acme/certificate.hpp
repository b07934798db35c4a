// SPDX-License-Identifier: AGPL-3.0-or-later
// The X.509 part of ACME: keys, signing requests, certificates, and the certificate that proves control of a
// name (RFC 8737).
#pragma once
#include "base/time.hpp"

#include <openssl/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace acme {

using Names = std::vector<std::string>;

// A certificate with its intermediates, and its private key; both PEM.
struct Certificate {
    std::string chain, key;
    bool operator==(const Certificate&) const = default;
};

std::string new_key();  // P-256, PEM

// A certificate signing request (RFC 2986) for the names; DER.
std::string request_for(const Names&, const std::string& key);

// The certificate presented to clients that use the protocol acme-tls/1 (RFC 8737, section 3).
Certificate challenge_certificate(const std::string& name, std::string_view key_authorization);

struct Facts {
    base::Time from, until;
    std::string renewal_id;  // for asking the authority when to renew it (RFC 9773, section 4.1)
};
base::Time time_of(const ASN1_TIME*);  // 1970 when it is none
// Of the first certificate of a chain; nothing when it cannot be read.
std::optional<Facts> facts_of(const std::string& chain);

// Why it is unusable: it cannot be parsed, does not match the key, or lacks a name.
std::optional<std::string> fault_of(const Certificate&, const Names&);

}  // namespace acme

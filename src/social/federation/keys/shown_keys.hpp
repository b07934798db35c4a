// SPDX-License-Identifier: AGPL-3.0-or-later
// The keys of ours as others know them: some came along from the server that was here before, with their ids.
#pragma once
#include "social/federation/keys/keys.hpp"

namespace federation {

struct OwnPublicKey {
    std::string id, type, public_key;  // type: rsa or ed25519
};
DESCRIBE(OwnPublicKey, id, type, public_key)

// The key that signs first, then those beside it. Throws Unavailable as long as there is none.
std::vector<OwnPublicKey> shown_keys(db::Read&, AccountId);
// Those of the server's own actor under an address that it had before.
std::vector<OwnPublicKey> keys_of_former_server(db::Read&, const std::string& actor);

// Without throwing. The oldest RSA key signs, since every server takes those; the server's own actor never signs with one that
// it had under another address.
std::optional<SigningKey> find_signing_key(db::Read&, AccountId);

}  // namespace federation

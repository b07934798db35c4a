// SPDX-License-Identifier: AGPL-3.0-or-later
// The public keys of local actors; some were taken over from a previous server, with their ids.
#pragma once
#include "social/federation/keys/keys.hpp"

namespace federation {

struct OwnPublicKey {
    std::string id, type, public_key;  // type: rsa or ed25519
};
DESCRIBE(OwnPublicKey, id, type, public_key)

// The signing key first, then the others. Throws Unavailable while there is none.
std::vector<OwnPublicKey> shown_keys(db::Read&, AccountId);
// Those of the previous server's own actor, by the id that it had.
std::vector<OwnPublicKey> keys_of_former_server(db::Read&, const std::string& actor);

// Does not throw. The oldest RSA key signs, as every server accepts RSA; the server's own actor never signs
// with a key of the previous server's actor.
std::optional<SigningKey> find_signing_key(db::Read&, AccountId);

}  // namespace federation

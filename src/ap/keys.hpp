// SPDX-License-Identifier: AGPL-3.0-or-later
// Public keys as actors and key documents show them. Whether one counts is decided by who lists it: see is_own().
#pragma once
#include "ap/document.hpp"
#include "ap/signatures/key.hpp"

#include <string>
#include <vector>

namespace ap {

constexpr std::size_t most_keys = 10;

struct Key {
    std::string id;
    std::string owner;      // "" when only its id is known: to be fetched
    std::string pem;        // as it came; PublicKey::from_pem reads it
    std::string multibase;  // of a Multikey (FEP-521a), instead of a PEM
    std::optional<Time> expires;

    bool known() const { return !owner.empty() && !(pem.empty() && multibase.empty()); }
    // Whether the actor whose document shows this key may be believed without asking elsewhere.
    bool is_own(std::string_view actor) const;
};

// Nothing for what is no key that can be used.
std::optional<PublicKey> public_key(const Key&);

// Of an actor: `publicKey` and `assertionMethod`.
std::vector<Key> read_keys(Node actor);

// Of a document fetched under the id of a key: an actor, a stub of one, or the key alone. The owner must still be
// asked whether it lists the key.
std::optional<Key> read_key(Node document, std::string_view key_id);

}  // namespace ap

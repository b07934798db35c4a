// SPDX-License-Identifier: AGPL-3.0-or-later
// Public keys from actors and key documents. A key is only trusted if its owner lists it: see is_own().
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
    std::string pem;        // as received; PublicKey::from_pem reads it
    std::string multibase;  // of a Multikey (FEP-521a), instead of a PEM
    std::optional<Time> expires;

    bool known() const { return !owner.empty() && !(pem.empty() && multibase.empty()); }
    // Whether a key in this actor's document can be trusted without further requests.
    bool is_own(std::string_view actor) const;
};

// Empty when it is not a usable key.
std::optional<PublicKey> public_key(const Key&);

// Of an actor: `publicKey` and `assertionMethod`.
std::vector<Key> read_keys(Node actor);

// From a document fetched by the id of a key: an actor, a stub of one, or the key alone. The caller must
// still check that the owner lists the key.
std::optional<Key> read_key(Node document, std::string_view key_id);

}  // namespace ap

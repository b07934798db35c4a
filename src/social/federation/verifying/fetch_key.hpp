// SPDX-License-Identifier: AGPL-3.0-or-later
// Fetching a public key: the actor's document, or the key's own document together with an actor that lists
// it.
#pragma once
#include "base/ask.hpp"
#include "db/session.hpp"

#include <string>

namespace federation {

struct ShownKey {
    std::string actor, public_key;  // empty: not found
    bool gone = false;              // its server answers 410
    bool nowhere = false;           // nothing found at this address, or it may not be requested
    bool asked = true;              // false: its server is not being asked at the moment
    std::int64_t retry_after = 0;   // seconds until it will be, if known
};

ShownKey fetch_key(const base::Ask&, db::Read&, const std::string& key_id);

}  // namespace federation

// SPDX-License-Identifier: AGPL-3.0-or-later
// A key from its server: the actor or the document of the key, and an actor that lists it.
#pragma once
#include "base/ask.hpp"
#include "db/session.hpp"

#include <string>

namespace federation {

struct ShownKey {
    std::string actor, public_key;  // empty: it was not shown
    bool gone = false;              // its server says that it is no more
    bool nowhere = false;           // nothing is shown at this address, or nobody may be asked there
    bool asked = true;              // false: we do not ask its server now
    std::int64_t retry_after = 0;   // in how many seconds we do, where that is known
};

ShownKey fetch_key(const base::Ask&, db::Read&, const std::string& key_id);

}  // namespace federation

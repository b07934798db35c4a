// SPDX-License-Identifier: AGPL-3.0-or-later
// Activities that somebody else brings than who acts: forwarded by the server of who is answered, or by a relay. They
// have to speak for themselves, by a signature or a proof inside them.
#pragma once
#include "ap/activity.hpp"
#include "social/federation/verifying/known_keys.hpp"

namespace federation {

struct Vouched {
    std::optional<ap::Activity> activity;  // what may be believed of it
    std::optional<FetchedKey> learned;     // to be kept by remember()
};
// `body` holds the activity. One whose signature says nothing to us is a hint, if it is a Create: its object is asked
// for at its own server.
Vouched vouched(const base::Ask&, db::Read&, const std::string& body, const ap::Activity&);

}  // namespace federation

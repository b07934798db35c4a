// SPDX-License-Identifier: AGPL-3.0-or-later
// Who it is that acts.
#pragma once
#include "ap/activity.hpp"
#include "base/ask.hpp"
#include "db/session.hpp"
#include "social/federation/verifying/known_keys.hpp"

namespace federation {

struct Actor {
    base::AccountId account;
    std::optional<base::Time> suspended_at;
};
DESCRIBE(Actor, account, suspended_at)
std::optional<Actor> actor_here(db::Read&, std::string_view uri);

// Who acts, whose server is asked when nobody here knows them. Nothing when there is no such actor, or nobody who could
// be believed to be one, or when a stranger only takes leave. Throws Unavailable when their server cannot be asked now.
std::optional<Actor> actor_of(const base::Ask&, db::Read&, const ap::Activity&);

// Activities that somebody else brings than who acts: forwarded by the server of who is answered, or by a relay. They
// have to speak for themselves, by a signature or a proof inside them.
struct Vouched {
    std::optional<ap::Activity> activity;  // what may be believed of it
    std::optional<FetchedKey> learned;     // to be kept by remember()
};
// `body` holds the activity. One whose signature says nothing to us is a hint, if it is a Create: its object is asked
// for at its own server.
Vouched vouched(const base::Ask&, db::Read&, const std::string& body, const ap::Activity&);

}  // namespace federation

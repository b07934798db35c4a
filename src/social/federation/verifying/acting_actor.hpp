// SPDX-License-Identifier: AGPL-3.0-or-later
// The account that an activity acts for.
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
db::Remembering ask_for_actors(db::Read&, const std::vector<std::string>& uris);

// The acting account, fetched if it is not known here. Empty when there is no such actor, when it cannot be
// verified, or when an unknown account only announces its deletion. Throws Unavailable when its server cannot
// be asked now.
std::optional<Actor> actor_of(const base::Ask&, db::Read&, const ap::Activity&);

// Activities that are not delivered by their own actor's server: forwarded by the server of the account that
// is replied to, or by a relay. They are verified by an embedded signature or proof.
struct EmbeddedVerification {
    std::optional<ap::Activity> activity;  // the verified part of it, or the hint
    std::optional<FetchedKey> learned;     // to be kept by remember()
};
// `body` holds the activity. A Create whose signature cannot be verified is a hint: its object is fetched from its own
// server.
EmbeddedVerification
verify_embedded(const base::Ask&, db::Read&, const std::string& body, const ap::Activity&);

}  // namespace federation

// SPDX-License-Identifier: AGPL-3.0-or-later
// Reads an actor from its own server, with its handle confirmed by WebFinger at the handle's domain.
#pragma once
#include "social/federation/actors/actor.hpp"
#include "social/federation/fetch/fetch.hpp"

namespace federation {

struct FoundActor {
    FetchOutcome outcome = FetchOutcome::failed;
    std::string id;  // also of a deleted one, where it is known
    std::optional<ActorRecord> record;
};

// `document`: the actor's, if already fetched. `counts`: also fetches the collections that give the numbers
// of posts, followers and followed.
FoundActor read_actor(const base::Ask&, db::Read&, const VerifiedDocument& document, bool counts);
FoundActor find_actor(const base::Ask&, db::Read&, std::string_view url, bool counts);

// The id of the actor "name@domain", from WebFinger at that domain.
struct FoundHandle {
    FetchOutcome outcome = FetchOutcome::failed;
    std::string actor;
};
FoundHandle find_handle(const base::Ask&, db::Read&, std::string_view handle);

// Turns "@Name@Domain", as people write it, into "Name@domain"; "" when it is no handle.
std::string canonical_handle(std::string_view text);
// The address on the server of "name@domain" where its users follow an actor, or see another object, whose id
// is given percent-encoded; "" when that server does not offer one.
std::string address_at_home(
    const base::Ask&, db::Read&, std::string_view handle, std::string_view encoded_id, bool is_actor
);

}  // namespace federation

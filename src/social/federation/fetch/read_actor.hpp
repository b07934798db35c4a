// SPDX-License-Identifier: AGPL-3.0-or-later
// From an address to all that an actor's own server says of it, with its handle confirmed by the handle's own domain.
#pragma once
#include "social/federation/actors/actor.hpp"
#include "social/federation/fetch/fetch.hpp"

namespace federation {

struct FoundActor {
    FetchOutcome outcome = FetchOutcome::failed;
    std::string id;  // also of one that is gone, where it is known
    std::optional<ActorRecord> record;
};

// `document`: of this actor, when it is at hand. `counts`: asks for the collections that only tell how many there are.
FoundActor read_actor(const base::Ask&, db::Read&, const VerifiedDocument& document, bool counts);
FoundActor find_actor(const base::Ask&, db::Read&, std::string_view url, bool counts);

// The id of the actor behind "name@domain", as WebFinger there has it.
struct FoundHandle {
    FetchOutcome outcome = FetchOutcome::failed;
    std::string actor;
};
FoundHandle find_handle(const base::Ask&, db::Read&, std::string_view handle);

// "@Name@Domain", as people write it, as "Name@domain"; "" when it is none.
std::string canonical_handle(std::string_view text);
// Where the server of "name@domain" takes them to follow an actor, or to see something else, whose id is given
// percent-encoded; "" when it does not say.
std::string address_at_home(
    const base::Ask&, db::Read&, std::string_view handle, std::string_view encoded_id, bool is_actor
);

}  // namespace federation

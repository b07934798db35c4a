// SPDX-License-Identifier: AGPL-3.0-or-later
// Fetching what belongs to something that came: what it answers and quotes, what answers it, what a profile had
// written before somebody here followed it.
#pragma once
#include "jobs/reactions.hpp"
#include "social/federation/actors/actor.hpp"
#include "social/relationships/relationship.hpp"
#include "social/statuses/remote/remote.hpp"

namespace federation {

// Reaction: what a status answers and quotes, as far as anybody would read on.
jobs::Change fetch_related(const base::Ask&, db::Read&, const statuses::RelatedWanted&);
jobs::Change look_at_new_stamp(const base::Ask&, db::Read&, const statuses::StampReplaced&);
jobs::Change look_at_stamp(const base::Ask&, db::Read&, const statuses::StampDoubted&);

// Things to be fetched one after another.
struct ImportLeft {
    std::vector<std::string> uris;
    int depth = 0;
};
DESCRIBE(ImportLeft, uris, depth)
jobs::Change import_some(const base::Ask&, db::Read&, const ImportLeft&);

// Somebody here follows somebody there whose latest posts are not known.
struct ProfileWanted {
    base::AccountId account;
};
DESCRIBE(ProfileWanted, account)
void want_profile(db::Write&, const relationships::Followed&);
jobs::Change read_outbox(const base::Ask&, db::Read&, const ProfileWanted&);

// What an actor pinned, fetched one post after another until all of it was looked up.
struct PinsLeft {
    base::AccountId account;
    std::vector<std::string> pinned;
    std::size_t looked_up = 0;
};
DESCRIBE(PinsLeft, account, pinned, looked_up)
jobs::Change fetch_pins(const base::Ask&, db::Read&, const PinsLeft&);
jobs::Change read_pins(const base::Ask&, db::Read&, const PinsWanted&);

// An actor whom somebody here follows, whose server was not asked for a week.
struct ActorStale {
    base::AccountId account;
};
DESCRIBE(ActorStale, account)
jobs::Change find_stale_actors(db::Read&);  // periodic
jobs::Change refresh_actor(const base::Ask&, db::Read&, const ActorStale&);

}  // namespace federation

// SPDX-License-Identifier: AGPL-3.0-or-later
// Fetching what is related to received objects: the posts that they reply to and quote, their replies, and
// older posts of an account that somebody here has followed.
#pragma once
#include "jobs/reactions.hpp"
#include "social/federation/actors/actor.hpp"
#include "social/relationships/relationship.hpp"
#include "social/statuses/remote/remote.hpp"

namespace federation {

// Reaction: fetches the posts that a status replies to and quotes, as far as anybody would read on.
jobs::Change fetch_related(const base::Ask&, db::Read&, const statuses::RelatedWanted&);
jobs::Change
check_new_quote_authorization(const base::Ask&, db::Read&, const statuses::AuthorizationReplaced&);
jobs::Change check_quote_authorization(const base::Ask&, db::Read&, const statuses::AuthorizationDoubted&);

jobs::Change check_reply_authorization(const base::Ask&, db::Read&, const statuses::ReplyAuthorizationNamed&);

// Things to be fetched one after another.
struct ImportContinued {
    std::vector<std::string> uris;
    int depth = 0;
};
DESCRIBE(ImportContinued, uris, depth)
jobs::Change import_some(const base::Ask&, db::Read&, const ImportContinued&);

// Somebody here follows a remote account whose latest posts are not known.
struct ProfileWanted {
    base::AccountId account;
};
DESCRIBE(ProfileWanted, account)
void want_profile(db::Write&, const relationships::Followed&);
jobs::Change read_outbox(const base::Ask&, db::Read&, const ProfileWanted&);

// The posts that an actor pinned, fetched one after another.
struct PinsContinued {
    base::AccountId account;
    std::vector<std::string> pinned;
    std::size_t looked_up = 0;
};
DESCRIBE(PinsContinued, account, pinned, looked_up)
jobs::Change fetch_pins(const base::Ask&, db::Read&, const PinsContinued&);
jobs::Change read_pins(const base::Ask&, db::Read&, const PinsWanted&);

// A followed actor that was not refreshed for a week.
struct ActorStale {
    base::AccountId account;
};
DESCRIBE(ActorStale, account)
jobs::Change find_stale_actors(db::Read&);  // periodic
jobs::Change refresh_actor(const base::Ask&, db::Read&, const ActorStale&);

}  // namespace federation

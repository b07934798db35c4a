// SPDX-License-Identifier: AGPL-3.0-or-later
// Relays: servers that hand round the public posts of many. The server follows them as its own actor; those known by
// their inbox alone pass on what they get as it is, those that are actors boost it.
#pragma once
#include "ap/incoming.hpp"
#include "base/ask.hpp"
#include "db/session.hpp"

#include <boost/describe/enum.hpp>

namespace federation {

using RelayId = base::Id<struct RelayTag>;
BOOST_DEFINE_ENUM_CLASS(RelayState, pending, accepted, rejected)

struct Relay {
    RelayId id;
    std::string address, inbox, actor, follow;
    RelayState state = RelayState::pending;
    base::AccountId account_id;
    base::Time created_at;
};
DESCRIBE(Relay, id, address, inbox, actor, follow, state, account_id, created_at)

std::vector<Relay> relays(db::Read&);
// Asks it to take us in. `actor` is empty for one that is known by its inbox. Throws Invalid: it is there already.
void add_relay(db::Write&, const std::string& address, const std::string& inbox, const std::string& actor);
bool remove_relay(db::Write&, const std::string& address);  // undoes the follow of it

// Whether an account is that of a relay that took us in.
bool is_relay(db::Read&, base::AccountId);
// Whether an activity answers our Follow of a relay, by somebody at its host.
bool is_answer_of_relay(db::Read&, const ap::Activity&);

// Accept and Reject.
struct RelayAnswer {
    RelayId relay;
    base::AccountId account;
    RelayState state = RelayState::pending;
};
std::optional<RelayAnswer> relay_answer(db::Read&, const ap::Incoming&);
bool take_relay_answer(db::Write&, const RelayAnswer&);

// Announce: what a relay hands round is fetched from its own server and is no boost.
std::optional<base::StatusId> relayed_post(const base::Ask&, db::Read&, const ap::Incoming&);
bool take_relayed(db::Write&, const base::StatusId&);

// Follow: a relay that is an actor follows the server back.
struct RelayFollow {
    base::AccountId account;
    std::string uri;
};
std::optional<RelayFollow> relay_follow(db::Read&, const ap::Incoming&);
bool take_relay_follow(db::Write&, const RelayFollow&);

}  // namespace federation

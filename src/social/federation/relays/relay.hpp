// SPDX-License-Identifier: AGPL-3.0-or-later
// Relays: servers that distribute public posts of many servers. The server's own actor follows them; those
// known by their inbox only forward activities unchanged, those that are actors Announce them.
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
// Sends a Follow to a relay. `actor` is empty for one that is known by its inbox. Throws Invalid when it was
// added already.
void add_relay(db::Write&, const std::string& address, const std::string& inbox, const std::string& actor);
bool remove_relay(db::Write&, const std::string& address);  // undoes the follow of it

// Whether an account is that of a relay that accepted our Follow.
bool is_relay(db::Read&, base::AccountId);
// Whether an activity answers our Follow of a relay and comes from its host.
bool is_answer_of_relay(db::Read&, const ap::Activity&);

// Accept and Reject.
struct RelayAnswer {
    RelayId relay;
    base::AccountId account;
    RelayState state = RelayState::pending;
};
std::optional<RelayAnswer> relay_answer(db::Read&, const ap::Incoming&);
bool take_relay_answer(db::Write&, const RelayAnswer&);

// Announce: a post that a relay distributes is fetched from its own server and is not stored as a boost.
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

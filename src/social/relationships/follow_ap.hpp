// SPDX-License-Identifier: AGPL-3.0-or-later
// Follow, Block and their Accept, Reject and Undo from other servers: turns activities into the arguments of
// the rules (relationship.hpp). A preparing function returns nullopt if there is nothing to do here; an
// acting one returns whether it found its target.
#pragma once
#include "ap/incoming.hpp"
#include "social/relationships/relationship.hpp"

namespace relationships {

struct IncomingFollow {
    AccountId account, target;  // target 0: the server itself
    std::string uri;
};
std::optional<IncomingFollow> follow_wanted(db::Read&, const ap::Incoming&);
bool take_follow(db::Write&, const IncomingFollow&);  // follow(), or a refusal that is sent back

// A local account's follow of the actor.
std::optional<AccountPair> followed_actor(db::Read&, const ap::Incoming&);
bool take_accept(db::Write&, const AccountPair&);
bool take_reject(db::Write&, const AccountPair&);

struct Taken {
    std::string uri;    // id of the undone activity, may be empty
    AccountId account;  // the account that undoes it
    AccountId target;   // 0: known only by the uri
};
std::optional<Taken> undone_follow(db::Read&, const ap::Incoming&);
bool take_undo_follow(db::Write&, const Taken&);
std::optional<AccountPair> undone_accept(db::Read&, const ap::Incoming&);
bool take_undo_accept(db::Write&, const AccountPair&);

std::optional<IncomingFollow> block_wanted(db::Read&, const ap::Incoming&);
bool take_block(db::Write&, const IncomingFollow&);
std::optional<Taken> undone_block(db::Read&, const ap::Incoming&);
bool take_undo_block(db::Write&, const Taken&);

}  // namespace relationships

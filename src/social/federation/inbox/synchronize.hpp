// SPDX-License-Identifier: AGPL-3.0-or-later
// Comparing another server's list of its accounts' followers from here with our own (FEP-8fcf, as receiver).
#pragma once
#include "base/ask.hpp"
#include "jobs/reactions.hpp"

namespace federation {

// Event: their list has a different digest than ours.
struct FollowersDiffer {
    base::AccountId account;
    std::string url, digest;
};
DESCRIBE(FollowersDiffer, account, url, digest)

// Set when the Collection-Synchronization header of an actor's request is valid and differs from what is
// known here.
std::optional<FollowersDiffer> compare_followers(db::Read&, base::AccountId actor, std::string_view header);
void note_difference(db::Write&, const FollowersDiffer&);  // emits it, not too often

// Reaction: reads their list. Listed accounts that do not follow here: a pending request becomes a follow,
// else an Undo is sent. Accounts that follow here but are not listed stop following.
jobs::Change synchronize_followers(const base::Ask&, db::Read&, const FollowersDiffer&);

}  // namespace federation

// SPDX-License-Identifier: AGPL-3.0-or-later
// Whether a server's list of those who follow its people from here is ours (FEP-8fcf, as receiver).
#pragma once
#include "base/ask.hpp"
#include "jobs/reactions.hpp"

namespace federation {

// They say that their list has another digest than ours.
struct FollowersDiffer {
    base::AccountId account;
    std::string url, digest;
};
DESCRIBE(FollowersDiffer, account, url, digest)

// What the header Collection-Synchronization of an actor's request tells, when it may be believed and is not what is
// known here.
std::optional<FollowersDiffer> compare_followers(db::Read&, base::AccountId actor, std::string_view header);
void note_difference(db::Write&, const FollowersDiffer&);  // emits it, not too often

// Reaction: reads their list. Whom they list and who does not follow here is taken back there; who follows here and is
// not listed there follows no more.
jobs::Change synchronize_followers(const base::Ask&, db::Read&, const FollowersDiffer&);

}  // namespace federation

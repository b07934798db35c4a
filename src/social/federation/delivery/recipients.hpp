// SPDX-License-Identifier: AGPL-3.0-or-later
// Which inboxes were sent a post of ours (or a boost): those hear of its edits and its end even when nobody there follows
// the author any more. Kept from when the post is sent until its end was.
#pragma once
#include "db/session.hpp"
#include "social/federation/delivery/inbox_set.hpp"

namespace federation {

using base::AccountId;
using base::StatusId;

// The same author's posts mostly go to the same inboxes, so a post refers to a set that others share and says how it
// differs. `last`: no more inboxes are being looked for, and what is kept can be given its final form.
void remember_recipients(
    db::Write&, AccountId author, StatusId, const std::vector<std::string>& inboxes, bool last = true
);

struct Recipient {
    InboxId at;
    std::string inbox;
};
DESCRIBE(Recipient, at, inbox)
// In the order of their numbers, those after one of them.
std::vector<Recipient> recipients(db::Read&, StatusId, InboxId after, std::size_t limit);

void forget_recipients(db::Write&, StatusId);

}  // namespace federation

// SPDX-License-Identifier: AGPL-3.0-or-later
// The inboxes that a local post (or boost) was sent to: they get its edits and its deletion even when nobody
// there follows the author any more. Kept from the first delivery until the deletion was delivered.
#pragma once
#include "db/session.hpp"
#include "social/federation/delivery/inbox_set.hpp"

namespace federation {

using base::AccountId;
using base::StatusId;

// The same author's posts mostly go to the same inboxes, so a post refers to a shared set and stores the
// difference. `last`: no more inboxes follow, so the row can be given its final form.
void remember_recipients(
    db::Write&, AccountId author, StatusId, const std::vector<std::string>& inboxes, bool last = true
);

struct Recipient {
    InboxId at;
    std::string inbox;
};
DESCRIBE(Recipient, at, inbox)
// In the order of their ids, those after `after`.
std::vector<Recipient> recipients(db::Read&, StatusId, InboxId after, std::size_t limit);

void forget_recipients(db::Write&, StatusId);

}  // namespace federation

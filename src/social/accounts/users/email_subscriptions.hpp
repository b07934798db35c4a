// SPDX-License-Identifier: AGPL-3.0-or-later
// Subscriptions to statuses by mail: if the site offers them, for users whose role permits it and who enabled
// it.
#pragma once
#include "db/session.hpp"

namespace accounts {

// Whether the site offers them; the configuration's value is stored at each start.
bool digests_are_offered(db::Read&);
void offer_digests(db::Write&, bool);

// The accounts among these that offer subscriptions.
std::vector<base::AccountId> offering_digests(db::Read&, const std::vector<base::AccountId>&);
bool offers_digests(db::Read&, base::AccountId);

struct DigestChoice {
    bool allowed = false, wanted = false;  // allowed: by the site and the role; wanted: by the user
};
DESCRIBE(DigestChoice, allowed, wanted)
DigestChoice digest_choice(db::Read&, base::UserId);
void choose_digests(db::Write&, base::UserId, bool wanted);  // throws Forbidden if it is not allowed

}  // namespace accounts

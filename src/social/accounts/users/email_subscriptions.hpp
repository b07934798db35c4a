// SPDX-License-Identifier: AGPL-3.0-or-later
// Whose statuses can be had by mail: where the site offers it, of users whose role may and who want it.
#pragma once
#include "db/session.hpp"

namespace accounts {

// Whether the site offers it at all; what the configuration says is written down at each start.
bool digests_are_offered(db::Read&);
void offer_digests(db::Write&, bool);

// Those among them.
std::vector<base::AccountId> offering_digests(db::Read&, const std::vector<base::AccountId>&);
bool offers_digests(db::Read&, base::AccountId);

struct DigestChoice {
    bool allowed = false, wanted = false;  // by the site and the role; by the user
};
DESCRIBE(DigestChoice, allowed, wanted)
DigestChoice digest_choice(db::Read&, base::UserId);
void choose_digests(db::Write&, base::UserId, bool wanted);  // throws Forbidden where it is not allowed

}  // namespace accounts

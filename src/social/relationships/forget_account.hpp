// SPDX-License-Identifier: AGPL-3.0-or-later
// When an account is deleted, all its follows, blocks and mutes are removed in both directions.
#pragma once
#include "social/accounts/remote/remote.hpp"
#include "social/relationships/relationship.hpp"

namespace relationships {

struct TiesContinued {
    AccountId account;
};
DESCRIBE(TiesContinued, account)

// Reactions, in chunks
void begin_forgetting(db::Write&, const accounts::AccountGone&);
void continue_forgetting(db::Write&, const TiesContinued&);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_account_notes;
extern const db::Command drop_own_endorsements;
extern const db::Command drop_own_mutes;
extern const db::Command drop_own_user_domain_blocks;
extern const db::Command drop_own_severances;
extern const db::Command drop_own_severed_follows;

}  // namespace relationships

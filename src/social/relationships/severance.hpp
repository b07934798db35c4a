// SPDX-License-Identifier: AGPL-3.0-or-later
// Follows that ended together because a domain was blocked or an account was suspended; everybody who lost
// some is notified once.
#pragma once
#include "base/json.hpp"
#include "social/accounts/restricting.hpp"
#include "social/relationships/relationship.hpp"

namespace relationships {

using SeveranceId = base::Id<struct SeveranceTag>;

BOOST_DEFINE_ENUM_CLASS(SeveranceType, domain_block, user_domain_block, account_suspension)

// Both the row and the entity RelationshipSeveranceEvent.
struct Severance {
    static constexpr std::string_view entity = "RelationshipSeveranceEvent";
    SeveranceId id;
    SeveranceType type = SeveranceType::domain_block;
    bool purged = false;
    std::string target_name;
    std::int64_t followers_count = 0, following_count = 0;
    base::Time created_at;
};
DESCRIBE(Severance, id, type, purged, target_name, followers_count, following_count, created_at)

std::vector<Severance> severances(db::Read&, const std::vector<SeveranceId>&);  // in no order

// Adds losses to the event with this id, which is created by the first loss.
void count_losses(
    db::Write&, SeveranceId, AccountId whose, SeveranceType, std::string_view target_name,
    std::int64_t followers, std::int64_t following
);

// An event is complete, and `account` lost follows by it.
struct Severed {
    SeveranceId severance;
    AccountId account;
};
DESCRIBE(Severed, severance, account)

// When moderators suspend a remote account, all its follows from and to local accounts end.

// Follows with `account` are still to be removed. Events from `first` on record who lost follows.
struct AccountSeveringContinued {
    SeveranceId first;
    AccountId account;
};
DESCRIBE(AccountSeveringContinued, first, account)

// Reactions, some hundred at a time
void begin_account_severing(db::Write&, const accounts::AccountSuspended&);
void continue_account_severing(db::Write&, const AccountSeveringContinued&);

}  // namespace relationships

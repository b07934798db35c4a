// SPDX-License-Identifier: AGPL-3.0-or-later
// Functions on accounts for staff only: accounts that await confirmation or approval, IP addresses of users,
// and deletion of suspended accounts.
#pragma once
#include "social/accounts/account.hpp"
#include "social/accounts/users/user.hpp"

#include <map>

namespace accounts {

// Includes accounts that are not visible to the API. In no order; unknown ids are left out.
std::vector<Account> accounts_for_staff(db::Read&, const std::vector<AccountId>&);
// Only the handles of such accounts, without a leading @.
std::map<AccountId, std::string> handles_for_staff(db::Read&, const std::vector<AccountId>&);

// ---- addresses ----

struct UsedAddress {
    UserId user_id;
    std::string address;
    Time used_at;
};
DESCRIBE(UsedAddress, user_id, address, used_at)
std::vector<UsedAddress> addresses_of(db::Read&, const std::vector<UserId>&);  // latest first for each user
void note_address(db::Write&, UserId, std::string_view address);
// Users who came from an address or a network; none if `network` is neither.
std::vector<UserId> users_from(db::Read&, std::string_view network);
void purge_addresses(db::Write&);  // periodic: deletes those older than a year, some at a time
// Periodic: deletes the days of activity of users that are two years old, some at a time.
void purge_user_days(db::Write&);

// ---- sign-ups ----

// Removes a sign-up that was never approved: its name and address are available again.
void reject_sign_up(db::Write&, const User&);

// ---- suspended by a decision of this site ----

constexpr std::int64_t deleted_after_seconds = 30 * 86'400;

// Their data is deleted after this period, counted from now.
void plan_deletion(db::Write&, AccountId);
void cancel_deletion(db::Write&, AccountId);
// Deletes it at once. Throws Forbidden if no deletion is planned.
void delete_suspended(db::Write&, AccountId);

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
// What only staff is shown of accounts and does to them: those that wait to be confirmed or approved, from where somebody
// came, and what becomes of who is suspended.
#pragma once
#include "social/accounts/account.hpp"
#include "social/accounts/users/user.hpp"

#include <map>

namespace accounts {

// Also those that do not exist for the API. In no order; unknown ids are left out.
std::vector<Account> accounts_for_staff(db::Read&, const std::vector<AccountId>&);
// The same for those of whom no more is told than the handle, without an @ before it.
std::map<AccountId, std::string> handles_for_staff(db::Read&, const std::vector<AccountId>&);

// ---- addresses ----

struct UsedAddress {
    UserId user_id;
    std::string address;
    Time used_at;
};
DESCRIBE(UsedAddress, user_id, address, used_at)
std::vector<UsedAddress> addresses_of(db::Read&, const std::vector<UserId>&);  // of each the latest first
void note_address(db::Write&, UserId, std::string_view address);
// Who came from an address or a network; nobody from what is neither.
std::vector<UserId> users_from(db::Read&, std::string_view network);
void purge_addresses(db::Write&);  // periodic: those of a year ago, some at a time
// Periodic: on which days users were here, two years ago, some at a time.
void purge_user_days(db::Write&);

// ---- sign-ups ----

// One that was never approved ends as if it had not been: name and address are free again.
void reject_sign_up(db::Write&, const User&);

// ---- suspended by a decision of this site ----

constexpr std::int64_t deleted_after_seconds = 30 * 86'400;

// What they left is deleted when the time is over, counted from now.
void plan_deletion(db::Write&, AccountId);
void cancel_deletion(db::Write&, AccountId);
// At once. Throws Forbidden where nothing waits to be deleted.
void delete_suspended(db::Write&, AccountId);

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
// Statuses that an account shows first on its profile.
#pragma once
#include "social/statuses/core/status.hpp"

namespace statuses {

constexpr std::int64_t max_pins = 5, max_remote_pins = 50;

// Throws NoSuchStatus, or Invalid: not the account's own, a boost, only for mentioned people, too many,
// already pinned.
void pin(db::Write&, AccountId me, StatusId);
void unpin(db::Write&, AccountId me, StatusId);  // throws NoSuchStatus
void forget_pins(db::Write&, StatusId);
// The pinned statuses of a remote account, in the order of its own list. Statuses that are not its own or
// cannot be pinned are left out.
void set_remote_pins(db::Write&, AccountId, const std::vector<StatusId>&);

// The most recently pinned comes first.
std::vector<StatusId> pinned(db::Read&, AccountId);

struct Pinned {
    StatusId status;
    AccountId account;
};
DESCRIBE(Pinned, status, account)
struct Unpinned {
    StatusId status;
    AccountId account;
};
DESCRIBE(Unpinned, status, account)

}  // namespace statuses

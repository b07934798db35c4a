// SPDX-License-Identifier: AGPL-3.0-or-later
// Statuses that an account shows first on its profile.
#pragma once
#include "social/statuses/core/status.hpp"

namespace statuses {

constexpr std::int64_t max_pins = 5, max_remote_pins = 50;

// Throws NoSuchStatus, or Invalid: of somebody else, a boost, for mentioned people only, too many, pinned already.
void pin(db::Write&, AccountId me, StatusId);
void unpin(db::Write&, AccountId me, StatusId);  // throws NoSuchStatus
void forget_pins(db::Write&, StatusId);
// What an account of another server shows first, as its own list says, the first first. What is not its own or cannot
// be pinned is left out.
void set_remote_pins(db::Write&, AccountId, const std::vector<StatusId>&);

// What was pinned last comes first.
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

// SPDX-License-Identifier: AGPL-3.0-or-later
// A request that carries the key of an earlier one makes nothing; it is answered with what that one made.
#pragma once
#include "social/statuses/core/status.hpp"

namespace statuses {

// An empty key is none.
std::optional<StatusId> made_before(db::Read&, AccountId, const std::string& key);
void remember(db::Write&, AccountId, const std::string& key, StatusId);
// What a scheduled status became when it was published.
void remember_instead(db::Write&, AccountId, StatusId before, StatusId now);

// What goes with an account of its own, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_idempotency_keys;

}  // namespace statuses

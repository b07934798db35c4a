// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts that wait for review by the team (gate.hpp). They need no special visibility rules: a remote post is
// not stored as a status yet, and a local one is stored as a direct post without mentions.
#pragma once
#include "social/statuses/core/gate.hpp"

namespace statuses {

struct Held {
    HeldId id;
    AccountId account_id;
    StatusId status_id;              // for a local post
    std::optional<std::string> uri;  // for a remote post
    std::string draft;
    Time created_at;
    std::optional<Time> until;
    bool drops = false;      // when `until` is reached
    bool set_aside = false;  // rejected by the team
};
DESCRIBE(Held, id, account_id, status_id, uri, draft, created_at, until, drops, set_aside)

// If the remote post is held already, its content is replaced.
HeldId hold(db::Write&, const Verdict&, Held);
std::optional<Held> find_held(db::Read&, HeldId);
bool is_held(db::Read&, StatusId);
void forget_held(db::Write&, HeldId);
void forget_held(db::Write&, AccountId author, std::string_view uri);
void forget_held(db::Write&, StatusId);
// Removes rows of an account that is deleted (server/private_rows.cpp).
std::int64_t drop_own_held(db::Write&, AccountId, int most);

}  // namespace statuses

// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts that wait for a look by the team (gate.hpp). Nothing shows them because nothing knows them: one of another server is no status
// yet, one of this site is a direct one that names nobody.
#pragma once
#include "social/statuses/core/gate.hpp"

namespace statuses {

struct Held {
    HeldId id;
    AccountId account_id;
    StatusId status_id;              // of one of this site
    std::optional<std::string> uri;  // of one of another server
    std::string draft;
    Time created_at;
    std::optional<Time> until;
    bool drops = false;      // then
    bool set_aside = false;  // the team does not want it
};
DESCRIBE(Held, id, account_id, status_id, uri, draft, created_at, until, drops, set_aside)

// One of another server that waits already takes the new words.
HeldId hold(db::Write&, const Verdict&, Held);
std::optional<Held> find_held(db::Read&, HeldId);
bool is_held(db::Read&, StatusId);
void forget_held(db::Write&, HeldId);
void forget_held(db::Write&, AccountId author, std::string_view uri);
void forget_held(db::Write&, StatusId);
// Rows of an account that is gone (server/private_rows.cpp).
std::int64_t drop_own_held(db::Write&, AccountId, int most);

}  // namespace statuses

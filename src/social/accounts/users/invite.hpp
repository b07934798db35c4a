// SPDX-License-Identifier: AGPL-3.0-or-later
// Invites: codes that allow sign-up when registrations are closed or need approval. Anybody who has the code
// may use it, within its limits of uses and time.
#pragma once
#include "db/session.hpp"

namespace accounts {

using base::AccountId;
using base::Time;
using base::UserId;

struct Invite {
    std::string code;
    AccountId account_id;  // the inviter; none: the operator
    std::optional<std::string> username;
    std::optional<Time> expires_at;
    std::optional<std::int64_t> max_uses;
    std::int64_t uses = 0;
    bool autofollow = false;
    bool suspended = false;  // the inviter is suspended
    Time created_at;

    bool valid(Time now) const {
        return !suspended && (!max_uses || uses < *max_uses) && (!expires_at || *expires_at > now);
    }
};
DESCRIBE(Invite, code, account_id, username, expires_at, max_uses, uses, autofollow, suspended, created_at)

struct NewInvite {
    AccountId account;
    std::optional<Time> expires_at;
    std::optional<std::int64_t> max_uses;
    bool autofollow = false;  // the new user follows the account
};
std::string create_invite(db::Write&, const NewInvite&);  // its code
void revoke_invite(db::Write&, std::string_view code);    // throws NotFound

std::optional<Invite> find_invite(db::Read&, std::string_view code);
bool is_valid_invite(db::Read&, std::string_view code);
std::vector<Invite> invites(db::Read&);  // newest first

// Counts one use. Returns false, without counting, if the invite is not valid (any more).
bool redeem(db::Write&, std::string_view code);
// The account that the user automatically follows because of their invite.
std::optional<AccountId> inviter_to_follow(db::Read&, UserId);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_invites;

}  // namespace accounts

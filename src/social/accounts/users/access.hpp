// SPDX-License-Identifier: AGPL-3.0-or-later
// What lets a user in: tokens, authorization codes, web sessions and sign-ins under way. The rows are oauth's; to end them all stands
// here because passwords, disabling and suspension must, and lie below oauth.
#pragma once
#include "db/session.hpp"

namespace accounts {

// These tokens open nothing any more: their push subscriptions go, their streams are closed.
struct TokensRevoked {
    std::vector<base::TokenId> tokens;
};
DESCRIBE(TokensRevoked, tokens)

// Who is signed in already may not be let in any more, although nothing was revoked: streams are looked at.
struct AccessChanged {
    base::AccountId account;
};
DESCRIBE(AccessChanged, account)

// These web sessions are over: their push subscriptions go.
struct SessionsEnded {
    std::vector<base::SessionId> sessions;
};
DESCRIBE(SessionsEnded, sessions)

// The login is gone, and what is kept for it goes.
struct UserRemoved {
    base::UserId user;
};
DESCRIBE(UserRemoved, user)

void end_sessions(db::Write&, const std::vector<base::SessionId>&);
void end_access(db::Write&, base::UserId);

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
// What grants a user access: tokens, authorization codes, web sessions and sign-ins in progress. The rows
// belong to oauth; ending them is implemented here because passwords, disabling and suspension need it and
// lie below oauth.
#pragma once
#include "db/session.hpp"

namespace accounts {

// These tokens were revoked: their push subscriptions are deleted, their streams closed.
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

// The login was removed; the data stored for it is deleted.
struct UserRemoved {
    base::UserId user;
};
DESCRIBE(UserRemoved, user)

void end_sessions(db::Write&, const std::vector<base::SessionId>&);
void end_access(db::Write&, base::UserId);

}  // namespace accounts

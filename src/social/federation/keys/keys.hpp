// SPDX-License-Identifier: AGPL-3.0-or-later
// The keys with which this server signs: each local account and the server's own actor (account 0) has one. Making one
// takes a while, so a job asks for it as soon as the account can be seen.
#pragma once
#include "jobs/reactions.hpp"
#include "social/accounts/users/user.hpp"

namespace federation {

using base::AccountId;

struct KeyPair {
    std::string public_pem, private_pem;
};
// The question for a fresh RSA pair of 2048 bits; the account tells two of them apart.
struct NewKeyPair {
    AccountId account;
    using Answer = KeyPair;
};
DESCRIBE(NewKeyPair, account)

struct SigningKey {
    std::string id, private_pem;
};
// The question to have the key of an account made now and kept, unless there is one: for what needs it and can wait.
struct OwnKeyMissing {
    AccountId account;
    using Answer = bool;
};
DESCRIBE(OwnKeyMissing, account)
bool has_key(db::Read&, AccountId);

// Both throw Unavailable as long as there is none.
SigningKey signing_key(db::Read&, AccountId);
std::string public_key(db::Read&, AccountId);

// Events
struct KeyWanted {
    AccountId account;
};
DESCRIBE(KeyWanted, account)
struct KeysMissing {
    AccountId after;
};
DESCRIBE(KeysMissing, after)

// For server/reactions.cpp: the first two ask, the third is done later.
jobs::Change make_key(const base::Ask&, db::Read&, const KeyWanted&);
jobs::Change make_first_key(const base::Ask&, db::Read&, const accounts::Activated&);
void want_missing_keys(db::Write&, const KeysMissing&);

// At start: has the missing ones made.
void complete_keys(db::Write&);

// Unless the account has one already.
void keep_key(db::Write&, AccountId, const KeyPair&);

}  // namespace federation

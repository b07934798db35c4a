// SPDX-License-Identifier: AGPL-3.0-or-later
// The keys with which this server signs: each local account and the server's own actor (account 0) has one.
// Generating one takes a while, so a job does it as soon as the account is visible.
#pragma once
#include "jobs/reactions.hpp"
#include "social/accounts/users/user.hpp"

namespace federation {

using base::AccountId;

struct KeyPair {
    std::string public_pem, private_pem;
};
// The question for a new RSA key pair of 2048 bits; the account distinguishes two such questions.
struct NewKeyPair {
    AccountId account;
    using Answer = KeyPair;
};
DESCRIBE(NewKeyPair, account)

struct SigningKey {
    std::string id, private_pem;
};
// The question to generate and store an account's key now, unless it has one: for callers that need it and
// can wait.
struct OwnKeyMissing {
    AccountId account;
    using Answer = bool;
};
DESCRIBE(OwnKeyMissing, account)
bool has_key(db::Read&, AccountId);

// Both throw Unavailable while there is none.
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

// For server/reactions.cpp: the first two ask a question, the third runs as a job.
jobs::Change make_key(const base::Ask&, db::Read&, const KeyWanted&);
jobs::Change make_first_key(const base::Ask&, db::Read&, const accounts::Activated&);
void want_missing_keys(db::Write&, const KeysMissing&);

// At start: schedules the generation of missing keys.
void complete_keys(db::Write&);

// Unless the account has one already.
void keep_key(db::Write&, AccountId, const KeyPair&);

}  // namespace federation

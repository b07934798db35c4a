// SPDX-License-Identifier: AGPL-3.0-or-later
// Who signed a request: with a key that is held here, or one that its server is asked for. How often anybody can make
// us ask is bounded: once in five minutes for a key, and so many times in vain for a host.
#pragma once
#include "ap/signatures/key.hpp"
#include "ap/signatures/signature.hpp"
#include "base/ask.hpp"
#include "db/session.hpp"

#include <functional>
#include <optional>
#include <string>

namespace federation {

// A key as its server showed it, or (without a key) that it did not.
struct FetchedKey {
    std::string id, host, actor, public_key;
    base::Time fetched_at;
    base::AccountId account;  // the actor, when it is known here and lists this key
    bool held = false;        // what made us ask was signed with it
};
DESCRIBE(FetchedKey, id, host, actor, public_key, fetched_at, account, held)

// A key whose server is not asked now: nothing is known about the signature yet.
struct NotAsked {
    std::string key, host;
    std::int64_t retry_after = 0;  // seconds, where that is known
};

struct Authenticated {
    int status = 200;         // else what to answer: 400, 401, 403, 503
    std::string sentence;     // why
    std::string actor;        // who signed
    base::AccountId account;  // 0: not known here
    bool suspended = false;   // by us
    bool gone = false;        // with 401: the actor's own server says that there is no such actor any more
    // To be kept by remember(), whatever the status.
    std::optional<FetchedKey> learned;
    std::optional<NotAsked> not_asked;  // with 503

    bool ok() const { return status == 200; }
};

struct Judging {
    std::optional<base::Time> received_at;            // not set: now
    std::function<bool(const std::string&)> may_ask;  // for this key; not set: for each
};
Authenticated authenticate(const base::Ask&, db::Read&, const ap::SignedRequest&, const Judging& = {});

// The key of this id, as it is held here or as its server shows it now; `key` is null when it does not.
struct KnownKey {
    std::string actor;
    std::shared_ptr<const ap::PublicKey> key;
    std::optional<FetchedKey> learned;
};
KnownKey key_of(const base::Ask&, db::Read&, const std::string& id);

void remember(db::Write&, const FetchedKey&);
void purge_fetched_keys(db::Write&);  // periodic

// Parsing a key costs more than using it, and most that comes is signed with one of a few.

// As `public_key` stores it: a PEM, or the publicKeyMultibase of a Multikey. Null for what is no key.
std::shared_ptr<const ap::PublicKey> parsed_key(std::string_view stored);

}  // namespace federation

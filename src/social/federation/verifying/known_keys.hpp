// SPDX-License-Identifier: AGPL-3.0-or-later
// Verifies who signed a request, with a stored key or one fetched from its server. Fetching is limited: once
// in five minutes per key, and a number of failures per host.
#pragma once
#include "ap/signatures/key.hpp"
#include "ap/signatures/signature.hpp"
#include "base/ask.hpp"
#include "db/session.hpp"

#include <functional>
#include <optional>
#include <string>

namespace federation {

// A fetched key; with an empty public_key, the failure to find one.
struct FetchedKey {
    std::string id, host, actor, public_key;
    base::Time fetched_at;
    base::AccountId account;  // the actor, when it is known here and lists this key
    bool held = false;        // the signature that caused the fetch was valid
};
DESCRIBE(FetchedKey, id, host, actor, public_key, fetched_at, account, held)

// A key whose server is not asked at the moment: the signature cannot be judged yet.
struct NotAsked {
    std::string key, host;
    std::int64_t retry_after = 0;  // seconds, if known
};

struct Authenticated {
    int status = 200;         // else the HTTP status of the response: 400, 401, 403, 503
    std::string sentence;     // why
    std::string actor;        // who signed
    base::AccountId account;  // 0: not known here
    bool suspended = false;   // by us
    bool gone = false;        // with 401: the actor's own server says that the actor is deleted
    // To be kept by remember(), whatever the status.
    std::optional<FetchedKey> learned;
    std::optional<NotAsked> not_asked;  // with 503

    bool ok() const { return status == 200; }
};

struct Judging {
    std::optional<base::Time> received_at;            // not set: now
    std::function<bool(const std::string&)> may_ask;  // for this key; not set: for all
};
Authenticated authenticate(const base::Ask&, db::Read&, const ap::SignedRequest&, const Judging& = {});

// The key with this id, stored or fetched now; `key` is null when there is none.
struct KnownKey {
    std::string actor;
    std::shared_ptr<const ap::PublicKey> key;
    std::optional<FetchedKey> learned;
};
KnownKey key_of(const base::Ask&, db::Read&, const std::string& id);

void remember(db::Write&, const FetchedKey&);
void purge_fetched_keys(db::Write&);  // periodic

// `stored` is as in `public_key`: a PEM, or the publicKeyMultibase of a Multikey. Null when it is not a valid
// key.
std::shared_ptr<const ap::PublicKey> parsed_key(std::string_view stored);

}  // namespace federation

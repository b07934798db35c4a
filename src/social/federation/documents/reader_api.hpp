// SPDX-License-Identifier: AGPL-3.0-or-later
// The reader of a document: the actor whose key signed the request, or anonymous. What they see is decided
// for that account by statuses/core/visibility.hpp.
#pragma once
#include "base/ask.hpp"
#include "http/message.hpp"
#include "social/federation/verifying/known_keys.hpp"
#include "social/statuses/core/visibility.hpp"

namespace federation {

struct Reader {
    statuses::Audience audience;  // anonymous when the actor is not known here
    std::string origin;           // of the server that signed, https://host; empty: not signed
    bool shared = true;           // the response is the same for everybody
    std::string domain;  // of the actor's handle, which may be another than the host; empty: not known here

    bool known() const { return !origin.empty(); }
};

// An invalid signature counts as none. Throws http::Refusal: 403 when that server is blocked; where
// signatures are required (authorized_fetch, limited_federation), also 401 or what else is wrong.
Reader reader(const base::Ask&, db::Read&, const http::Request&);

// The status as this reader may see it; posts for followers or mentioned accounts are shown to any actor of
// such an account's server. Throws NoSuchStatus, always for local-only statuses.
struct Sight {
    statuses::Audience audience;
    statuses::VisibilityFacts facts;
};
Sight sight(db::Read&, const Reader&, base::StatusId);

// Whether the owner has blocked the actor or its whole server.
bool hidden_from(db::Read&, base::AccountId owner, const Reader&);

// The question that stores a key which was fetched while handling a GET.
struct KeepKey {
    FetchedKey key;
    using Answer = bool;
};
DESCRIBE(KeepKey, key)

}  // namespace federation

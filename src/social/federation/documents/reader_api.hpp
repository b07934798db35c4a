// SPDX-License-Identifier: AGPL-3.0-or-later
// Who reads: the actor whose key signed a request, or nobody. What a reader sees is decided by the rule of posts
// (statuses/core/visibility.hpp), which asks it of an account.
#pragma once
#include "base/ask.hpp"
#include "http/message.hpp"
#include "social/federation/verifying/known_keys.hpp"
#include "social/statuses/core/visibility.hpp"

namespace federation {

struct Reader {
    statuses::Audience audience;  // of nobody, when the actor is not known here
    std::string origin;           // of the server that signed, https://host; empty: nobody signed
    bool shared = true;           // what is answered is the same for everybody
    std::string domain;  // of the actor's handle, which may be another than the host; empty: not known here

    bool known() const { return !origin.empty(); }
};

// A signature that does not hold is none. Throws http::Refusal: 403 when that server is blocked, and where everybody
// has to sign (authorized_fetch, limited_federation) 401 or what else is wrong.
Reader reader(const base::Ask&, db::Read&, const http::Request&);

// The status as this reader may see it; what is for followers or for somebody named is also for the server of one
// of them. Throws NoSuchStatus; always when it is for this site alone.
struct Sight {
    statuses::Audience audience;
    statuses::VisibilityFacts facts;
};
Sight sight(db::Read&, const Reader&, base::StatusId);

// Whether the owner hides from this reader: has blocked the actor or its whole server.
bool hidden_from(db::Read&, base::AccountId owner, const Reader&);

// The question that keeps what was learned of a key while reading.
struct KeepKey {
    FetchedKey key;
    using Answer = bool;
};
DESCRIBE(KeepKey, key)

}  // namespace federation

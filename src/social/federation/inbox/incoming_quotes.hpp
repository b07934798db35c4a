// SPDX-License-Identifier: AGPL-3.0-or-later
// Quotes in activities of other servers (FEP-044f): requesting, granting, refusing and revoking an authorization.
#pragma once
#include "ap/incoming.hpp"
#include "ap/object.hpp"
#include "base/ask.hpp"
#include "social/statuses/quote_requests/quote_authorization.hpp"

namespace federation {

// The post that a QuoteRequest or ReplyRequest is about: embedded by its author, or as its own server shows
// it. Empty when it is not the actor's. Throws Unavailable when its server does not respond now.
std::optional<ap::Object> instrument(const base::Ask&, db::Read&, const ap::Incoming&);

// QuoteRequest: a remote account quotes a local status.
std::optional<statuses::QuoteRequest> quote_wanted(const base::Ask&, db::Read&, const ap::Incoming&);
bool take_quote_request(db::Write&, const statuses::QuoteRequest&);

// Accept and Reject of a local account's request.
struct QuoteVerdict {
    base::StatusId quoting;
    std::string authorization_uri;
};
std::optional<QuoteVerdict> allowed_quote(db::Read&, const ap::Incoming&);
bool take_quote_authorization(db::Write&, const QuoteVerdict&);
std::optional<QuoteVerdict> refused_quote(db::Read&, const ap::Incoming&);
bool take_refusal(db::Write&, const QuoteVerdict&);

// Delete of a QuoteAuthorization.
std::optional<QuoteVerdict> revoked_quote(db::Read&, const ap::Incoming&);

}  // namespace federation

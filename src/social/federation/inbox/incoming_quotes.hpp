// SPDX-License-Identifier: AGPL-3.0-or-later
// Quotes as other servers speak of them (FEP-044f): asking for leave, giving, refusing and taking it back.
#pragma once
#include "ap/incoming.hpp"
#include "base/ask.hpp"
#include "social/statuses/quote_requests/quote_leave.hpp"

namespace federation {

// QuoteRequest: somebody there quotes a status of somebody here.
std::optional<statuses::QuoteWish> quote_wanted(const base::Ask&, db::Read&, const ap::Incoming&);
bool take_quote_request(db::Write&, const statuses::QuoteWish&);

// Accept and Reject of a request of ours.
struct QuoteVerdict {
    base::StatusId quoting;
    std::string stamp;
};
std::optional<QuoteVerdict> allowed_quote(db::Read&, const ap::Incoming&);
bool take_leave(db::Write&, const QuoteVerdict&);
std::optional<QuoteVerdict> refused_quote(db::Read&, const ap::Incoming&);
bool take_refusal(db::Write&, const QuoteVerdict&);

// Delete of a stamp.
std::optional<QuoteVerdict> revoked_quote(db::Read&, const ap::Incoming&);

}  // namespace federation

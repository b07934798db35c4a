// SPDX-License-Identifier: AGPL-3.0-or-later
// Leave to quote, between servers (FEP-044f): asked of the author of another server, given to those who ask somebody
// here, taken back.
#pragma once
#include "social/statuses/remote/remote.hpp"

namespace statuses {

// Events. Somebody on another server asked by this request.
struct QuoteAnswered {
    std::string request, quoting;  // ids
    StatusId quoted;
    AccountId account, author;
    QuoteId quote;  // 0: refused
};
DESCRIBE(QuoteAnswered, request, quoting, quoted, account, author, quote)
// The author of another server agreed with a status of ours.
struct QuoteLeaveGiven {
    StatusId status;
};
DESCRIBE(QuoteLeaveGiven, status)

// A quote with what decides who may say something of it.
struct Leave {
    QuoteId id;
    StatusId status, quoted;
    AccountId account, author;
    QuoteState state = QuoteState::pending;
    bool account_local = false, author_local = false;
};
DESCRIBE(Leave, id, status, quoted, account, author, state, account_local, author_local)
std::optional<Leave> leave_of(db::Read&, StatusId quoting);
std::optional<Leave> leave_by_number(db::Read&, QuoteId);
std::optional<Leave> leave_by_stamp(db::Read&, std::string_view stamp, AccountId author);

// Somebody on another server wants to quote a status of somebody here. Their own status is stored when they may.
struct QuoteWish {
    AccountId account;
    StatusId quoted;
    std::string request, quoting;         // ids
    std::optional<RemoteStatus> unknown;  // what quotes, when it is not here yet
};
// Whether they see it. Who does not is given no answer: a refusal would say that it is there.
bool may_ask_to_quote(db::Read&, AccountId, StatusId);
void answer_quote_request(db::Write&, const QuoteWish&);

// The author of another server says so of a status of ours. False where nothing was asked.
bool give_leave(db::Write&, StatusId quoting, const std::string& stamp);
// They do not agree, or no longer.
bool refuse_leave(db::Write&, StatusId quoting);

}  // namespace statuses

// SPDX-License-Identifier: AGPL-3.0-or-later
// Authorization of quotes between servers (FEP-044f): requested from authors on other servers, granted to those who
// request it from authors here, revoked.
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
// The author of another server has authorized a quote by a local status.
struct QuoteAuthorized {
    StatusId status;
};
DESCRIBE(QuoteAuthorized, status)

// A quote with what decides who may authorize or revoke it.
struct StatusQuoteAuthorization {
    QuoteId id;
    StatusId status, quoted;
    AccountId account, author;
    QuoteState state = QuoteState::pending;
    bool account_local = false, author_local = false;
};
DESCRIBE(StatusQuoteAuthorization, id, status, quoted, account, author, state, account_local, author_local)
std::optional<StatusQuoteAuthorization> quote_authorization_of(db::Read&, StatusId quoting);
std::optional<StatusQuoteAuthorization> quote_authorization_by_id(db::Read&, QuoteId);
std::optional<StatusQuoteAuthorization> quote_authorization_by_uri(
    db::Read&, std::string_view authorization_uri, AccountId author
);

// An account of another server asks to quote a local status. Its own status is stored, or quotes from now on, when it may.
struct QuoteRequest {
    AccountId account;
    StatusId quoted;
    std::string request, quoting;  // ids
    std::optional<RemoteStatus>
        instrument;  // what quotes, when it is not here yet or did not quote anything so far
};
// Whether they may see it. Who may not gets no answer, because a refusal would reveal that it exists.
bool may_ask_to_quote(db::Read&, AccountId, StatusId);
void answer_quote_request(db::Write&, const QuoteRequest&);

// The author of another server authorizes the quote by a local status. False where nothing was requested.
bool authorize_quote(db::Write&, StatusId quoting, const std::string& authorization_uri);
// They refuse, or revoke the authorization.
bool refuse_quote(db::Write&, StatusId quoting);

}  // namespace statuses

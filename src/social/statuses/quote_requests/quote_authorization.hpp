// SPDX-License-Identifier: AGPL-3.0-or-later
// Authorization of quotes between servers (FEP-044f): requested from remote authors, granted by local
// authors, revoked.
#pragma once
#include "social/statuses/remote/remote.hpp"

namespace statuses {

// Event: a QuoteRequest from another server was answered.
struct QuoteAnswered {
    std::string request, quoting;  // ids
    StatusId quoted;
    AccountId account, author;
    QuoteId quote;  // 0: refused
};
DESCRIBE(QuoteAnswered, request, quoting, quoted, account, author, quote)
// A remote author has authorized a quote by a local status.
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

// A remote account asks to quote a local status. If it may, its own status is stored, or is recorded as
// quoting.
struct QuoteRequest {
    AccountId account;
    StatusId quoted;
    std::string request, quoting;  // ids
    std::optional<RemoteStatus>
        instrument;  // the quoting status, if it is not stored or has not quoted anything so far
};
// Whether they may see it. Otherwise they get no answer, because a refusal would reveal that it exists.
bool may_ask_to_quote(db::Read&, AccountId, StatusId);
void answer_quote_request(db::Write&, const QuoteRequest&);

// A remote author authorizes the quote by a local status. Returns false if nothing was requested.
bool authorize_quote(db::Write&, StatusId quoting, const std::string& authorization_uri);
// They refuse, or revoke the authorization.
bool refuse_quote(db::Write&, StatusId quoting);

}  // namespace statuses

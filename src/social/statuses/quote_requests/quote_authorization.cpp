// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/quote_requests/quote_authorization.hpp"

#include "social/statuses/core/status.hpp"
#include "social/statuses/interactions/interaction_rules.hpp"
#include "social/statuses/quotes/quote.hpp"
#include "social/statuses/remote/remote_parts.hpp"

namespace statuses {

#define QUOTE_AUTHORIZATIONS                                                                                 \
    "SELECT q.id, q.status_id AS status, q.quoted_status_id AS quoted, q.account_id AS account, "            \
    "q.quoted_account_id AS author, q.state, a.domain = '' AS account_local, b.domain = '' AS author_local " \
    "FROM quotes q JOIN accounts a ON a.id = q.account_id JOIN accounts b ON b.id = q.quoted_account_id "

const db::Query<StatusQuoteAuthorization> quote_authorization_of_status{
    "quote_authorization_of_status", QUOTE_AUTHORIZATIONS "WHERE q.status_id = $1"
};
const db::Query<StatusQuoteAuthorization> quote_authorization_of_id{
    "quote_authorization_of_id", QUOTE_AUTHORIZATIONS "WHERE q.id = $1"
};
const db::Query<StatusQuoteAuthorization> quote_authorization_of_uri{
    "quote_authorization_of_uri",
    QUOTE_AUTHORIZATIONS
    "WHERE q.quoted_account_id = $2 AND q.id IN (SELECT o.id FROM quotes o WHERE o.authorization_uri = $1 "
    "UNION "
    "SELECT o.id FROM remote_statuses r JOIN quotes o ON o.status_id = r.status_id "
    "WHERE r.authorization_uri = $1 AND r.authorization_uri <> '') LIMIT 1"
};

std::optional<StatusQuoteAuthorization> quote_authorization_of(db::Read& db, StatusId quoting) {
    return db.maybe(quote_authorization_of_status, quoting);
}
std::optional<StatusQuoteAuthorization> quote_authorization_by_id(db::Read& db, QuoteId id) {
    return db.maybe(quote_authorization_of_id, id);
}
std::optional<StatusQuoteAuthorization> quote_authorization_by_uri(
    db::Read& db, std::string_view authorization_uri, AccountId author
) {
    return db.maybe(quote_authorization_of_uri, authorization_uri, author);
}

namespace {

// Applies the same rule as for local quotes.
bool agrees(db::Read& db, const QuoteRequest& asked) {
    try {
        auto quoted = quotable(db, asked.account, asked.quoted);
        return quoted.id == asked.quoted && open(quoted.visibility);
    } catch (const base::NotFound&) {
        return false;
    }
}

}  // namespace

bool may_ask_to_quote(db::Read& db, AccountId account, StatusId quoted) {
    auto access = access_to(db, account, quoted);
    return access && access->sees;
}

void answer_quote_request(db::Write& db, const QuoteRequest& asked) {
    auto quoted = find_status(db, asked.quoted);
    if (!quoted) return;
    bool allowed = agrees(db, asked);
    auto quoting = find_by_uri(db, asked.quoting);
    if (allowed && asked.instrument) {
        auto own = quoting ? find_status(db, *quoting) : std::nullopt;
        if (!quoting) store_remote(db, *asked.instrument);
        else if (own && own->account_id == asked.account) quote_remote(db, *quoting, *asked.instrument);
        quoting = find_by_uri(db, asked.quoting);
    }
    auto quote = quoting ? quote_authorization_of(db, *quoting) : std::nullopt;
    QuoteAnswered answer{asked.request, asked.quoting, asked.quoted, asked.account, quoted->account_id, {}};
    bool fits = quote && quote->quoted == asked.quoted && quote->account == asked.account;
    if (fits && quote->state == QuoteState::pending) settle_quote(db, quote->status, allowed);
    bool agreed =
        fits && allowed && (quote->state == QuoteState::pending || quote->state == QuoteState::accepted);
    if (agreed) answer.quote = quote->id;
    db.emit(answer);
}

const db::Command keep_authorization{
    "keep_authorization",
    "UPDATE quotes SET authorization_uri = $2 WHERE status_id = $1 AND state = 'pending'"
};

bool authorize_quote(db::Write& db, StatusId quoting, const std::string& authorization_uri) {
    if (db.run(keep_authorization, quoting, authorization_uri) == 0) return false;
    settle_quote(db, quoting, true);
    db.emit(QuoteAuthorized{quoting});
    return true;
}

bool refuse_quote(db::Write& db, StatusId quoting) { return end_quote(db, quoting); }

}  // namespace statuses

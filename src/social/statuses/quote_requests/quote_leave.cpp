// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/quote_requests/quote_leave.hpp"

#include "social/statuses/core/status.hpp"
#include "social/statuses/interactions/interaction_rules.hpp"
#include "social/statuses/quotes/quote.hpp"

namespace statuses {

#define LEAVES                                                                                               \
    "SELECT q.id, q.status_id AS status, q.quoted_status_id AS quoted, q.account_id AS account, "            \
    "q.quoted_account_id AS author, q.state, a.domain = '' AS account_local, b.domain = '' AS author_local " \
    "FROM quotes q JOIN accounts a ON a.id = q.account_id JOIN accounts b ON b.id = q.quoted_account_id "

const db::Query<Leave> leave_of_status{"leave_of_status", LEAVES "WHERE q.status_id = $1"};
const db::Query<Leave> leave_of_number{"leave_of_number", LEAVES "WHERE q.id = $1"};
const db::Query<Leave> leave_of_stamp{
    "leave_of_stamp",
    LEAVES
    "WHERE q.quoted_account_id = $2 AND q.id IN (SELECT o.id FROM quotes o WHERE o.stamp = $1 UNION "
    "SELECT o.id FROM remote_statuses r JOIN quotes o ON o.status_id = r.status_id "
    "WHERE r.stamp = $1 AND r.stamp <> '') LIMIT 1"
};

std::optional<Leave> leave_of(db::Read& db, StatusId quoting) { return db.maybe(leave_of_status, quoting); }
std::optional<Leave> leave_by_number(db::Read& db, QuoteId id) { return db.maybe(leave_of_number, id); }
std::optional<Leave> leave_by_stamp(db::Read& db, std::string_view stamp, AccountId author) {
    return db.maybe(leave_of_stamp, stamp, author);
}

namespace {

// The rule that those who live here are asked by, too.
bool agrees(db::Read& db, const QuoteWish& wish) {
    try {
        auto quoted = quotable(db, wish.account, wish.quoted);
        return quoted.id == wish.quoted && open(quoted.visibility);
    } catch (const base::NotFound&) {
        return false;
    }
}

}  // namespace

bool may_ask_to_quote(db::Read& db, AccountId account, StatusId quoted) {
    auto access = access_to(db, account, quoted);
    return access && access->sees;
}

void answer_quote_request(db::Write& db, const QuoteWish& wish) {
    auto quoted = find_status(db, wish.quoted);
    if (!quoted) return;
    bool leave = agrees(db, wish);
    if (leave && wish.unknown) store_remote(db, *wish.unknown);
    auto quoting = find_by_uri(db, wish.quoting);
    auto quote = quoting ? leave_of(db, *quoting) : std::nullopt;
    QuoteAnswered answer{wish.request, wish.quoting, wish.quoted, wish.account, quoted->account_id, {}};
    bool fits = quote && quote->quoted == wish.quoted && quote->account == wish.account;
    if (fits && quote->state == QuoteState::pending) settle_quote(db, quote->status, leave);
    bool agreed =
        fits && leave && (quote->state == QuoteState::pending || quote->state == QuoteState::accepted);
    if (agreed) answer.quote = quote->id;
    db.emit(answer);
}

const db::Command keep_stamp{
    "keep_stamp", "UPDATE quotes SET stamp = $2 WHERE status_id = $1 AND state = 'pending'"
};

bool give_leave(db::Write& db, StatusId quoting, const std::string& stamp) {
    if (db.run(keep_stamp, quoting, stamp) == 0) return false;
    settle_quote(db, quoting, true);
    db.emit(QuoteLeaveGiven{quoting});
    return true;
}

bool refuse_leave(db::Write& db, StatusId quoting) { return end_quote(db, quoting); }

}  // namespace statuses

// SPDX-License-Identifier: AGPL-3.0-or-later
// Quotes: a status that shows another one, and whether the quoted author agrees (behaviours 11.6, "Quotes"). What a
// viewer is told of one is in quote_entity.hpp.
#pragma once
#include "base/page.hpp"
#include "social/statuses/core/visibility.hpp"

namespace statuses {

using QuoteId = base::Id<struct QuoteTag>;

// pending → accepted | rejected; accepted → revoked. `deleted` is stored only of what was never known here.
BOOST_DEFINE_ENUM_CLASS(QuoteState, pending, accepted, rejected, revoked, deleted)

// Events. `author` wrote what is quoted, `account` what quotes it.
struct Quoted {
    StatusId status, quoted;
    AccountId account, author;
};
DESCRIBE(Quoted, status, quoted, account, author)
struct QuoteRevoked {
    StatusId status, quoted;
    AccountId account, author;
};
DESCRIBE(QuoteRevoked, status, quoted, account, author)

// The status that this account may quote, the original where a reblog is named. Throws NotFound.
VisibilityFacts quotable(db::Read&, AccountId me, StatusId);
// How visible a status is that quotes another; throws Invalid where the two do not go together.
Visibility visibility_of_quoting(Visibility wanted, const VisibilityFacts& quoted, const Draft&);
// Writes that a status quotes another. False: it quotes something already.
bool add_quote(db::Write&, StatusId status, AccountId, const VisibilityFacts& quoted, QuoteState);
// The same for a new status of this server, with what follows: its author is notified, or asked. The quoted author may
// see it from now on.
void attach_quote(db::Write&, StatusId status, AccountId account, const VisibilityFacts& quoted);

// The quoted author no longer agrees. Throws NotFound, Forbidden (not the author).
void revoke_quote(db::Write&, AccountId me, StatusId quoted, StatusId quoting);
// Reaction: a deleted status quotes nothing.
void release_quote(db::Write&, const Deleted&);

// Own statuses only, else Forbidden. Only public and unlisted ones can be quoted by others, whatever is asked.
void set_quote_policy(db::Write&, AccountId me, StatusId, std::optional<QuotePolicy>);

struct Quoting {
    std::int64_t cursor = 0;
    StatusId status;
};
DESCRIBE(Quoting, cursor, status)
std::vector<Quoting> quotes_of(db::Read&, StatusId, const base::Range&);  // accepted ones, newest first

// Some of those who quote a status, by the id of the quote.
struct Quoter {
    std::int64_t quote = 0;
    AccountId account;
    StatusId status;
};
DESCRIBE(Quoter, quote, account, status)
std::vector<Quoter> quoters(db::Read&, StatusId, std::int64_t after, int limit);

extern const db::Command
    insert_silent_mention;  // of the status $1: the account $2 may read it, and is not named

// What statuses quote, for rendering them.
struct StoredQuote {
    StatusId status_id, quoted_id;
    QuoteState state = QuoteState::pending;
    std::string username, domain, url;  // of the quoted author; of a remote quoted status
};
DESCRIBE(StoredQuote, status_id, quoted_id, state, username, domain, url)
std::vector<StoredQuote> stored_quotes(db::Read&, const std::vector<StatusId>&);
std::string quoted_url(const base::Site&, const StoredQuote&);

// Event: a status of ours quotes one of another server, whose author has to be asked (quote_authorization.hpp).
struct QuoteAuthorizationWanted {
    StatusId status;
};
DESCRIBE(QuoteAuthorizationWanted, status)

// A quote ends: refused while it waited, revoked after it was accepted. Whose word it was the caller has checked.
bool end_quote(db::Write&, StatusId quoting);  // false: there is none, or it has ended before

}  // namespace statuses

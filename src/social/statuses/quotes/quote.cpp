// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/quotes/quote.hpp"

#include "base/uris.hpp"
#include "social/statuses/core/counting.hpp"
#include "social/statuses/core/kinds.hpp"
#include "social/statuses/interactions/approval.hpp"
#include "social/statuses/interactions/interaction_rules.hpp"
#include "social/statuses/interactions/status_lists.hpp"

#include <algorithm>

namespace statuses {

namespace {

struct Terms {
    QuotePolicy policy = QuotePolicy::nobody;
    std::int64_t approval = 0;
    bool local = true, followed = false, following = false;

    ApprovalPolicy all() const { return local ? quote_approval(policy) : quote_approval(approval, policy); }
};
DESCRIBE(Terms, policy, approval, local, followed, following)

}  // namespace

const db::Query<Terms> quote_terms{
    "quote_terms",
    R"(SELECT s.quote_policy AS policy, s.quote_approval AS approval, a.domain = '' AS local,
              EXISTS (SELECT 1 FROM follows f WHERE f.account_id = s.account_id AND f.target_id = $2) AS followed,
              EXISTS (SELECT 1 FROM follows f WHERE f.account_id = $2 AND f.target_id = s.account_id) AS following
       FROM statuses s JOIN accounts a ON a.id = s.account_id WHERE s.id = $1)"
};

namespace {

// For a remote status, accounts that may only ask, or of whom that is unknown, pass as well: its author
// decides.
bool policy_allows(const Access& access, const Terms& terms) {
    bool own = access.facts.account_id == access.account;
    StandingToAuthor me{own, terms.following, terms.followed};
    return approval_for(terms.all(), me) != Approval::denied;
}

}  // namespace

VisibilityFacts quotable(db::Read& db, AccountId me, StatusId id) {
    auto access = access_to(db, me, id);
    if (!access || !may_quote(*access) || !policy_allows(*access, db.one(quote_terms, access->facts.id, me)))
        throw base::NotFound("The post you are trying to quote does not appear to exist.");
    return access->facts;
}

Visibility visibility_of_quoting(Visibility wanted, const VisibilityFacts& quoted, const Draft& draft) {
    if (wanted == Visibility::direct && quoted.account_id != draft.account &&
        std::ranges::find(draft.content.mentions, quoted.account_id) == draft.content.mentions.end())
        throw base::Invalid("Cannot quote a non-mentioned user in a Private Mention post.");
    return open(wanted) && quoted.visibility == Visibility::private_ ? Visibility::private_ : wanted;
}

const db::Command insert_quote{
    "insert_quote",
    R"(INSERT INTO quotes (id, status_id, account_id, quoted_status_id, quoted_account_id, state, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (status_id) DO NOTHING)"
};
const db::Command insert_silent_mention{
    "insert_silent_mention",
    "INSERT INTO mentions (status_id, account_id, silent, author_id) VALUES ($1, $2, TRUE, " AUTHOR_IF_HIDDEN(
        "$1"
    ) ") ON CONFLICT (status_id, account_id) DO NOTHING"
};

bool add_quote(
    db::Write& db, StatusId status, AccountId account, const VisibilityFacts& quoted, QuoteState state
) {
    auto id = db.new_id<QuoteId>();
    return db.run(insert_quote, id, status, account, quoted.id, quoted.account_id, state, db.now()) != 0;
}

void attach_quote(db::Write& db, StatusId status, AccountId account, const VisibilityFacts& quoted) {
    auto terms = db.one(quote_terms, quoted.id, account);
    bool local = terms.local;
    add_quote(db, status, account, quoted, local ? QuoteState::accepted : QuoteState::pending);
    if (quoted.account_id != account) db.run(insert_silent_mention, status, quoted.account_id);
    if (!local) {
        note_touched(db, quoted.id);
        if (terms.approval != knows_no_quotes) db.emit(QuoteAuthorizationWanted{status});
        return;
    }
    count_quote(db, quoted.id, status, 1);
    db.emit(Quoted{status, quoted.id, account, quoted.account_id});
}

namespace {

struct Row {
    QuoteId id;
    StatusId status_id;
    AccountId account_id;
    StatusId quoted_status_id;
    AccountId quoted_account_id;
    QuoteState state = QuoteState::pending;
};
DESCRIBE(Row, id, status_id, account_id, quoted_status_id, quoted_account_id, state)

}  // namespace

const db::Query<Row> quote_of{
    "quote_of",
    R"(SELECT id, status_id, account_id, quoted_status_id, quoted_account_id, state FROM quotes
       WHERE status_id = $1)"
};
const db::Command close_quote{"close_quote", "UPDATE quotes SET state = $2 WHERE id = $1"};

namespace {

bool end(db::Write& db, const Row& quote) {
    bool accepted = quote.state == QuoteState::accepted;
    if (!accepted && quote.state != QuoteState::pending) return false;
    db.run(close_quote, quote.id, accepted ? QuoteState::revoked : QuoteState::rejected);
    touch(db, quote.status_id);
    if (!accepted) return true;
    count_quote(db, quote.quoted_status_id, quote.status_id, -1);
    db.emit(QuoteRevoked{quote.status_id, quote.quoted_status_id, quote.account_id, quote.quoted_account_id});
    return true;
}

}  // namespace

void revoke_quote(db::Write& db, AccountId me, StatusId quoted, StatusId quoting) {
    visible_facts(db, audience(db, me), quoted);
    auto quote = db.one(quote_of, quoting);
    if (quote.quoted_status_id != quoted) throw base::NotFound();
    if (quote.quoted_account_id != me) throw base::Forbidden();
    end(db, quote);
}

bool end_quote(db::Write& db, StatusId quoting) {
    auto quote = db.maybe(quote_of, quoting);
    return quote && end(db, *quote);
}

void release_quote(db::Write& db, const Deleted& e) { end_quote(db, e.id); }

const db::Command update_quote_policy{
    "update_quote_policy",
    "UPDATE statuses SET quote_policy = $2, version = version + 1 WHERE id = $1 AND quote_policy <> $2"
};

void set_quote_policy(db::Write& db, AccountId me, StatusId id, std::optional<QuotePolicy> policy) {
    auto status = visible_facts(db, audience(db, me), id);
    if (status.account_id != me || status.is_reblog()) throw base::Forbidden();
    if (!policy) throw base::Invalid("Validation failed: Quote approval policy can't be blank");
    if (db.run(update_quote_policy, id, open(status.visibility) ? *policy : QuotePolicy::nobody) > 0)
        db.emit(InteractionPolicyChanged{id, me});
}

const db::Query<Quoting> list_quotes_of{
    "list_quotes_of",
    R"(SELECT id AS cursor, status_id AS status FROM quotes
       WHERE quoted_status_id = $1 AND state = 'accepted' AND id > $2 AND id < $3 ORDER BY id DESC LIMIT $4)"
};

std::vector<Quoting> quotes_of(db::Read& db, StatusId id, const base::Range& page) {
    return db.all(list_quotes_of, id, page.above, page.below, page.limit);
}

const db::Query<Quoter> some_quoters{
    "some_quoters",
    R"(SELECT id AS quote, account_id AS account, status_id AS status FROM quotes
       WHERE quoted_status_id = $1 AND state = 'accepted' AND id > $2 ORDER BY id LIMIT $3)"
};

std::vector<Quoter> quoters(db::Read& db, StatusId id, std::int64_t after, int limit) {
    return db.all(some_quoters, id, after, limit);
}

#define STORED_QUOTES                                                                                      \
    "SELECT q.status_id, q.quoted_status_id AS quoted_id, q.state, COALESCE(a.username, '') AS username, " \
    "COALESCE(a.domain, '') AS domain, COALESCE(s.url, s.uri, '') AS url "                                 \
    "FROM quotes q LEFT JOIN statuses s ON s.id = q.quoted_status_id "                                     \
    "LEFT JOIN accounts a ON a.id = q.quoted_account_id "

const db::Query<StoredQuote> quotes_of_statuses{
    "quotes_of_statuses", STORED_QUOTES "WHERE q.status_id IN LIST($1)"
};

std::vector<StoredQuote> stored_quotes(db::Read& db, const std::vector<StatusId>& ids) {
    if (ids.empty()) return {};
    return db.all(quotes_of_statuses, ids);
}

std::string quoted_url(const base::Site& site, const StoredQuote& quote) {
    if (!quote.domain.empty()) return quote.url;
    return base::uris::status_page(site, quote.username, quote.quoted_id);
}

}  // namespace statuses

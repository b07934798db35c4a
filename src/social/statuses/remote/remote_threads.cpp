// SPDX-License-Identifier: AGPL-3.0-or-later
// Connects remote statuses to their parents and quoted statuses, at once or when those arrive later.
#include "social/statuses/core/context.hpp"
#include "social/statuses/core/counting.hpp"
#include "social/statuses/core/kinds.hpp"
#include "social/statuses/interactions/interaction_rules.hpp"
#include "social/statuses/quotes/quote.hpp"
#include "social/statuses/remote/remote.hpp"
#include "social/statuses/remote/remote_parts.hpp"

#include <algorithm>

namespace statuses {

const db::Command note_quote{
    "note_quote",
    "UPDATE statuses SET relations = relations | " STATUS_QUOTE_BIT
    ", version = version + 1 WHERE id = $1 AND (relations & " STATUS_QUOTE_BIT ") = 0"
};
const db::Command wait_for_quoted{
    "wait_for_quoted",
    "UPDATE remote_statuses SET quoted = $2, authorization_uri = $3, legacy_quote = $4 WHERE status_id = $1"
};
namespace {

// Restricted posts are not quoted by others, whatever their servers say.
void attach(db::Write& db, StatusId quoting, AccountId account, StatusId quoted) {
    auto access = access_to(db, account, quoted);
    if (!access || access->through_reblog || !may_quote(*access)) return;
    if (!add_quote(db, quoting, account, access->facts, QuoteState::pending)) return;
    db.run(note_quote, quoting);
    if (access->facts.account_id == account) settle_quote(db, quoting, true);
}

}  // namespace

void quote_remote(db::Write& db, StatusId id, const RemoteStatus& status) {
    if (!status.quote || status.quote->uri.empty() || status.quote->uri.size() > accounts::longest_uri)
        return;
    auto quoted = find_by_uri(db, status.quote->uri);
    auto known = quoted ? find_status(db, *quoted) : std::nullopt;
    auto authorization_uri = status.quote->authorization_uri.size() <= accounts::longest_uri
                                 ? status.quote->authorization_uri
                                 : "";
    // Older forms of quotes request no authorization: they are accepted only where none is needed.
    bool legacy = status.quote->legacy && authorization_uri.empty();
    if (legacy && known && known->account_id != status.author) return;
    if (legacy && !known && !of_one_server(status.quote->uri, status.uri)) return;
    db.run(wait_for_quoted, id, known ? "" : status.quote->uri, authorization_uri, legacy);
    if (known) attach(db, id, status.author, known->id);
}

const db::Query<StatusId> waiting_quotes{
    "waiting_quotes",
    "SELECT status_id FROM remote_statuses WHERE quoted = $1 AND quoted <> '' ORDER BY status_id LIMIT $2"
};
const db::Query<bool> quotes_by_older_words{
    "quotes_by_older_words", "SELECT legacy_quote FROM remote_statuses WHERE status_id = $1"
};
const db::Query<StatusId> waiting_answers{
    "waiting_answers",
    "SELECT status_id FROM remote_statuses WHERE parent = $1 AND parent <> '' ORDER BY status_id LIMIT $2"
};
const db::Command quoted_arrived{
    "quoted_arrived", "UPDATE remote_statuses SET quoted = '' WHERE status_id = $1"
};
const db::Command parent_arrived{
    "parent_arrived", "UPDATE remote_statuses SET parent = '' WHERE status_id = $1"
};
const db::Command tie_to_parent{
    "tie_to_parent",
    R"(UPDATE statuses SET in_reply_to_id = $2, in_reply_to_account_id = $3, reply_state = $4, version = version + 1
       WHERE id = $1 AND in_reply_to_id IS NULL)"
};

namespace {

void tie(db::Write& db, StatusId answer, StatusId parent) {
    auto status = find_status(db, answer);
    if (!status || answer == parent) return;
    auto access = access_to(db, status->account_id, parent);
    if (!access || attachment(db, *access) != Attachment::attached) return;
    auto approval = remote_reply_approval(db, *access);
    Reply reply{answer, status->visibility, {}};
    auto [conversation, to_status, to] = place(access->facts, status->account_id);
    bool denied = approval == Approval::denied;
    if (!denied && db.run(tie_to_parent, answer, to_status, to, state_of(approval)) == 0) return;
    add_remote_reply(db, reply, *access, approval);
    if (!denied) move_thread(db, answer, conversation);
}

void quote_arrived(db::Write& db, StatusId quoting, const Status& arrived) {
    db.run(quoted_arrived, quoting);
    auto status = find_status(db, quoting);
    if (!status) return;
    bool own = status->account_id == arrived.account_id;
    if (own || !db.one(quotes_by_older_words, quoting)) attach(db, quoting, status->account_id, arrived.id);
}

}  // namespace

namespace {

constexpr int joined_at_once = 50;

}  // namespace

Waiting waiting_for(db::Read& db, std::string_view uri) {
    return {db.all(waiting_answers, uri, joined_at_once), db.all(waiting_quotes, uri, joined_at_once)};
}

void expect_waiting(db::Read& db, std::string_view uri) {
    db.expect(waiting_answers, uri, joined_at_once);
    db.expect(waiting_quotes, uri, joined_at_once);
}

void join_waiting(db::Write& db, StatusId id, const Waiting& waiting) {
    const auto& [answers, quotes] = waiting;
    if (answers.empty() && quotes.empty()) return;
    auto arrived = find_status(db, id);
    if (!arrived || arrived->reblog_of_id) return;
    // An ancestor of the status does not become a reply to it. Limited to usual thread lengths, because code
    // that reads threads tolerates longer cycles.
    constexpr int far = 500;
    const auto above = answers.empty() ? answers : ancestors(db, id, far);
    for (auto answer : answers) {
        db.run(parent_arrived, answer);
        if (std::ranges::find(above, answer) == above.end()) tie(db, answer, id);
    }
    for (auto quoting : quotes) quote_arrived(db, quoting, *arrived);
    // Attached ones no longer wait, so the next query returns the next ones.
    const auto full = [](const auto& some) { return some.size() == joined_at_once; };
    if (full(answers) || full(quotes)) db.emit(JoiningContinued{id});
}

void continue_joining(db::Write& db, const JoiningContinued& e) {
    if (auto facts = remote_facts(db, e.status)) join_waiting(db, e.status, waiting_for(db, facts->uri));
}

namespace {

struct Pending {
    StatusId status, quoted;
    AccountId account, author;
};
DESCRIBE(Pending, status, quoted, account, author)

}  // namespace

const db::Query<Pending> unsettled_quote{
    "unsettled_quote",
    R"(SELECT status_id AS status, quoted_status_id AS quoted, account_id AS account, quoted_account_id AS author
       FROM quotes WHERE status_id = $1 AND state = 'pending')"
};
const db::Command settle_pending{
    "settle_pending", "UPDATE quotes SET state = $2 WHERE status_id = $1 AND state = 'pending'"
};

void settle_quote(db::Write& db, StatusId quoting, bool accepted) {
    auto quote = db.maybe(unsettled_quote, quoting);
    if (!quote) return;
    db.run(settle_pending, quoting, accepted ? QuoteState::accepted : QuoteState::rejected);
    touch(db, quoting);
    if (!accepted) return;
    count_quote(db, quote->quoted, quote->status, 1);
    db.emit(Quoted{quote->status, quote->quoted, quote->account, quote->author});
}

const db::Query<PendingQuote> authorized_pending_quote{
    "authorized_pending_quote",
    R"(SELECT s.uri AS quoting, COALESCE(o.uri, '') AS quoted, a.uri AS author, r.authorization_uri
       FROM quotes q JOIN statuses s ON s.id = q.status_id JOIN statuses o ON o.id = q.quoted_status_id
       JOIN accounts a ON a.id = q.quoted_account_id JOIN remote_statuses r ON r.status_id = q.status_id
       WHERE q.status_id = $1 AND q.state = 'pending' AND r.authorization_uri <> '' AND a.domain <> '')"
};

std::optional<PendingQuote> pending_quote(db::Read& db, StatusId quoting) {
    return db.maybe(authorized_pending_quote, quoting);
}

const db::Query<PendingQuote> authorized_accepted_quote{
    "authorized_accepted_quote",
    R"(SELECT s.uri AS quoting, o.uri AS quoted, a.uri AS author, r.authorization_uri
       FROM quotes q JOIN statuses s ON s.id = q.status_id JOIN statuses o ON o.id = q.quoted_status_id
       JOIN accounts a ON a.id = q.quoted_account_id JOIN remote_statuses r ON r.status_id = q.status_id
       WHERE q.status_id = $1 AND q.state = 'accepted' AND r.authorization_uri <> '' AND a.domain <> ''
           AND q.account_id <> q.quoted_account_id AND o.uri IS NOT NULL AND s.uri IS NOT NULL)"
};
const db::Query<bool> has_unseen_authorization{
    "has_unseen_authorization",
    R"(SELECT EXISTS (SELECT 1 FROM quotes WHERE status_id = $1 AND checked_at < $2 AND created_at < $3))"
};
const db::Command authorization_seen{
    "authorization_seen", "UPDATE quotes SET checked_at = $2 WHERE status_id = $1"
};

std::optional<PendingQuote> authorized_quote(db::Read& db, StatusId quoting) {
    return db.maybe(authorized_accepted_quote, quoting);
}

namespace {

// Records the check, so that concurrent requests start only one.
bool may_look_again(db::Write& db, StatusId quoting, Time seen_before, Time made_before) {
    if (!db.one(has_unseen_authorization, quoting, seen_before, made_before)) return false;
    db.run(authorization_seen, quoting, db.now());
    return true;
}

}  // namespace

void doubt_old_authorization(db::Write& db, StatusId quoting) {
    constexpr std::int64_t week = 7 * 86'400;
    auto then = db.now().plus_seconds(-week);
    if (authorized_quote(db, quoting) && may_look_again(db, quoting, then, then))
        db.emit(AuthorizationDoubted{quoting});
}

void confirm_quote_authorization(db::Write& db, StatusId quoting, bool there) {
    if (there) db.run(authorization_seen, quoting, db.now());
    else if (authorized_quote(db, quoting)) end_quote(db, quoting);
}

const db::Command put_authorization{
    "put_authorization",
    R"(UPDATE remote_statuses SET authorization_uri = $2 WHERE status_id = $1 AND authorization_uri <> $2
         AND NOT EXISTS (SELECT 1 FROM quotes WHERE status_id = $1 AND state <> 'pending'))"
};

const db::Command take_other_authorization{
    "take_other_authorization", "UPDATE remote_statuses SET authorization_uri = $2 WHERE status_id = $1"
};

void replace_quote_authorization(db::Write& db, const AuthorizationReplaced& e, bool good) {
    if (!authorized_quote(db, e.quoting)) return;
    if (good) db.run(take_other_authorization, e.quoting, e.authorization_uri);
    else db.emit(AuthorizationDoubted{e.quoting});
}

void recheck_quote_authorization(db::Write& db, StatusId id, const RemoteStatus& status) {
    auto named = status.quote && status.quote->authorization_uri.size() <= accounts::longest_uri
                     ? status.quote->authorization_uri
                     : "";
    // A document that no longer names its authorization may have lost it; one that names another may have
    // replaced it.
    auto verified = authorized_quote(db, id);
    constexpr std::int64_t minute = 60;
    auto now = db.now();
    if (verified && named != verified->authorization_uri &&
        may_look_again(db, id, now.plus_seconds(-minute), now.plus_seconds(minute))) {
        if (named.empty()) db.emit(AuthorizationDoubted{id});
        else db.emit(AuthorizationReplaced{id, named});
    }
    if (!named.empty() && db.run(put_authorization, id, named) > 0) db.emit(RelatedWanted{id, status.depth});
}

}  // namespace statuses

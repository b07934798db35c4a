// SPDX-License-Identifier: AGPL-3.0-or-later
// Statuses of other servers: stores what their servers send, with the same consequences as a local status.
// All content is treated as hostile; the sender's authority was checked before (federation).
#pragma once
#include "jobs/reactions.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/media/remote.hpp"
#include "social/statuses/core/held.hpp"
#include "social/statuses/core/status.hpp"
#include "social/statuses/polls/poll.hpp"
#include "social/statuses/quotes/quote.hpp"
#include "social/statuses/remote/backfilled.hpp"

namespace statuses {

struct RemoteMention {
    AccountId account;
    bool silent = false;  // addressed, not named: may read it, is not notified
};

struct RemotePoll {
    bool multiple = false;
    std::vector<PollOption> options;
    std::optional<Time> expires_at;  // or since when it has ended
    std::optional<std::int64_t> voters_count;
};

struct RemoteQuote {
    std::string uri, authorization_uri;
    bool legacy = false;  // known only by the terms of older software
};

// Content from another server, sanitized when it is parsed, because that is too slow for a transaction.
class RemoteHtml {
public:
    RemoteHtml() = default;
    explicit RemoteHtml(std::string_view written);
    static RemoteHtml sanitized(std::string html);  // already passed base::text::sanitize
    const std::string& harmless() const { return harmless_; }

private:
    std::string harmless_;
};

// As received, except for the HTML. `in_reply_to`, `context` and `replies` are ids of statuses and
// collections, or empty.
struct RemoteStatus {
    std::string uri, url;
    AccountId author;
    RemoteHtml html;
    std::string spoiler_text;
    bool sensitive = false;
    std::optional<std::string> language;
    Visibility visibility = Visibility::direct;
    std::optional<Time> published, updated;
    std::string in_reply_to, context, replies;
    std::string replies_page;  // appended to `replies`: the address of its first page
    std::vector<RemoteMention> mentions;
    std::vector<std::string> tags;  // as written, with or without "#"
    std::vector<media::RemoteMedia> media;
    std::vector<emojis::RemoteEmoji> emojis;
    std::optional<RemotePoll> poll;
    std::optional<RemoteQuote> quote;
    QuotePolicy quote_policy = QuotePolicy::nobody;
    std::int64_t quote_approval = 0, reply_approval = 0;  // as stored (approval.hpp); 0: everybody may answer
    std::string reply_authorization;  // the approval by the author of the parent, or empty
    std::string reply_request;        // the activity that asked for approval of the reply, or empty
    std::optional<std::int64_t> favourites_count, reblogs_count;
    bool delivered = false;  // delivered by its server; otherwise it was fetched
    int depth = 0;           // distance from the status that was requested (accounts/remote/resolve.hpp)
    std::shared_ptr<const Verdict> verdict;  // of the team's rules (gate.hpp)
};

constexpr std::size_t most_remote_mentions = 100, most_remote_tags = 100, most_remote_options = 500;
// A status that its server delivers within a day is sorted by its arrival; all others by their date.
constexpr std::int64_t in_time_seconds = 86'400;
// A fetched status counts as recent if it is younger than this.
constexpr std::int64_t recent_seconds = 6 * 3600;

// Evaluates the team's rules and applies their verdict, except for a refusal, which store_remote() and
// edit_remote() handle.
void judge(db::Read&, RemoteStatus&);
// The same if it is known which post it changes, or that it changes none.
void judge(db::Read&, RemoteStatus&, std::optional<StatusId> known);
void obey(RemoteStatus&);  // applies the verdict that it carries

// Stores a new status, or returns the one with this uri unchanged. Returns nullopt if it was deleted, belongs
// to somebody else, or replies to somebody who blocks its author. Emits Published, or Backfilled if it is not
// recent. Throws Invalid: no uri, or one of this site.
std::optional<Creation> store_remote(db::Write&, const RemoteStatus&);

// Stores a status that waits for review by the team outside of statuses, as serialized text (core/held.hpp).
HeldId hold_remote(db::Write&, const RemoteStatus&);
// Stores it as if it had just arrived, unless that is no longer allowed.
void store_held(db::Write&, const Held&);
// Its author, content and attachments.
RemoteStatus read_held(const Held&);

// A boost. reblog_remote() returns nullopt if it was undone before, or the account may not boost the
// original.
struct RemoteReblog {
    std::string uri;
    AccountId account;
    StatusId original;
    std::optional<Time> published;
    Visibility visibility = Visibility::public_;
    bool delivered = false;
};
std::optional<Creation> reblog_remote(db::Write&, const RemoteReblog&);

// Event and reaction: more replies and quotes were waiting for this status than are attached at once.
struct JoiningContinued {
    StatusId status;
};
DESCRIBE(JoiningContinued, status)
void continue_joining(db::Write&, const JoiningContinued&);

// Its server sends the status again: updates the votes of its poll, the counts and, if `updated` is newer
// than what is stored, the content, with history and notifications. Does nothing if it is unknown or belongs
// to somebody else.
void edit_remote(db::Write&, const RemoteStatus&);

// Whether a post of this site that everybody could see was deleted, so that its deletion may be disclosed.
bool ended_openly(db::Read&, StatusId, AccountId author);

// By its ActivityPub id, local or remote; excludes deleted ones.
std::optional<StatusId> find_by_uri(db::Read&, std::string_view uri);

// The author's server deleted it, or undid a boost. An unknown id is remembered for six hours, in case the
// status arrives after its deletion. Does nothing if it belongs to somebody else.
void remove_remote(db::Write&, AccountId author, std::string_view uri);
// Its server no longer serves it. A status that was not readable by everybody may only be hidden from the
// account that asked, so it stays.
void remove_vanished(db::Write&, StatusId);
void purge_tombstones(db::Write&);  // periodic

// Reactions: remove everything that an account wrote and liked, in chunks.
struct RemoteStatusesContinued {
    AccountId account;
};
DESCRIBE(RemoteStatusesContinued, account)
// Then the texts of all its deleted statuses are erased; those with a greater id than `after` are left.
struct DeletedWordsContinued {
    AccountId account;
    StatusId after;
};
DESCRIBE(DeletedWordsContinued, account, after)
void remove_all_of(db::Write&, const accounts::AccountGone&);
void remove_some_of(db::Write&, const RemoteStatusesContinued&);
void empty_deleted(db::Write&, const DeletedWordsContinued&);

// The quoted author accepted or rejected a pending quote.
void settle_quote(db::Write&, StatusId quoting, bool accepted);

// A pending quote by a remote account that names an authorization.
struct PendingQuote {
    std::string quoting, quoted, author, authorization_uri;  // ids
};
DESCRIBE(PendingQuote, quoting, quoted, author, authorization_uri)
std::optional<PendingQuote> pending_quote(db::Read&, StatusId quoting);

// Event: a verified authorization has to be checked again.
struct AuthorizationDoubted {
    StatusId quoting;
};
DESCRIBE(AuthorizationDoubted, quoting)
// Event: an accepted quote names another authorization, which has to be checked before it replaces the old
// one.
struct AuthorizationReplaced {
    StatusId quoting;
    std::string authorization_uri;
};
DESCRIBE(AuthorizationReplaced, quoting, authorization_uri)
// If the new authorization is valid it replaces the old one; otherwise the old one is checked again.
void replace_quote_authorization(db::Write&, const AuthorizationReplaced&, bool good);
// The quote that was accepted because of a remote authorization.
std::optional<PendingQuote> authorized_quote(db::Read&, StatusId quoting);
// Emits AuthorizationDoubted if the authorization was last verified more than a week ago.
void doubt_old_authorization(db::Write&, StatusId quoting);
// The authorization still exists; otherwise the quote is revoked.
void confirm_quote_authorization(db::Write&, StatusId quoting, bool there);

// Event: a reply by a remote account to an account on a third server names an authorization.
struct ReplyAuthorizationNamed {
    StatusId reply;
    std::string authorization_uri;
};
DESCRIBE(ReplyAuthorizationNamed, reply, authorization_uri)
struct PendingReply {
    std::string reply, parent, author;  // ids
};
DESCRIBE(PendingReply, reply, parent, author)
std::optional<PendingReply> pending_reply(db::Read&, StatusId reply);

// What else is stored for asking its server again.
struct RemoteFacts {
    StatusId status_id;
    std::string uri, context, replies, replies_page, parent, quoted, authorization_uri;
    Time reported_at, replies_at;
};
DESCRIBE(
    RemoteFacts, status_id, uri, context, replies, replies_page, parent, quoted, authorization_uri,
    reported_at, replies_at
)
std::optional<RemoteFacts> remote_facts(db::Read&, StatusId);
void note_reported(db::Write&, StatusId);      // its server was asked just now
void note_replies_read(db::Write&, StatusId);  // its thread was read just now

// A reply that arrived before its parent started a conversation of its own. When both are known, it moves
// into the parent's conversation, with all its descendants.

// Moves the reply and its first descendants at once, the rest later.
void move_thread(db::Write&, StatusId answer, ConversationId);

struct ThreadMovingContinued {
    StatusId answer;
};
DESCRIBE(ThreadMovingContinued, answer)
jobs::Change continue_moving_thread(db::Read&, const ThreadMovingContinued&);  // reaction

}  // namespace statuses

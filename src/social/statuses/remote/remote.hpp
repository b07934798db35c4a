// SPDX-License-Identifier: AGPL-3.0-or-later
// Statuses of other servers: keeping what their servers say, with the same consequences as a status that is written here.
// Nothing that is said is believed to be harmless; who may say it of whom was decided before (federation).
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
    bool silent = false;  // addressed, not named: may read it and is not told
};

struct RemotePoll {
    bool multiple = false;
    std::vector<PollOption> options;
    std::optional<Time> expires_at;  // or since when it is over
    std::optional<std::int64_t> voters_count;
};

struct RemoteQuote {
    std::string uri, authorization_uri;
    bool legacy = false;  // known by words of older software only
};

// What another server wrote, made harmless where it is read: that takes its time, too much for a transaction.
class RemoteHtml {
public:
    RemoteHtml() = default;
    explicit RemoteHtml(std::string_view written);
    static RemoteHtml sanitized(std::string html);  // which passed base::text::sanitize
    const std::string& harmless() const { return harmless_; }

private:
    std::string harmless_;
};

// As it came, but for the HTML. `in_reply_to`, `context` and `replies` are ids of statuses and collections, or empty.
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
    std::string replies_page;  // what follows `replies` in the address of its first page
    std::vector<RemoteMention> mentions;
    std::vector<std::string> tags;  // as written, with or without their sign
    std::vector<media::RemoteMedia> media;
    std::vector<emojis::RemoteEmoji> emojis;
    std::optional<RemotePoll> poll;
    std::optional<RemoteQuote> quote;
    QuotePolicy quote_policy = QuotePolicy::nobody;
    std::int64_t quote_approval = 0, reply_approval = 0;  // as stored (approval.hpp); 0: everybody may answer
    std::string reply_authorization;                      // by which who is answered approved, or empty
    std::string reply_request;  // the activity that asked whether it may answer, or empty
    std::optional<std::int64_t> favourites_count, reblogs_count;
    bool delivered = false;  // it came by itself; else it was fetched
    int depth = 0;           // how far from what somebody wanted (accounts/remote/resolve.hpp)
    std::shared_ptr<const Verdict> verdict;  // what rules of the team say of it (gate.hpp)
};

constexpr std::size_t most_remote_mentions = 100, most_remote_tags = 100, most_remote_options = 500;
// What its server sent within a day stands where it arrived; all else where its date puts it.
constexpr std::int64_t in_time_seconds = 86'400;
// What is fetched counts as recent for so long only.
constexpr std::int64_t recent_seconds = 6 * 3600;

// What rules of the team say of it; it is changed as they want, but for a refusal, which store_remote() and edit_remote() heed.
void judge(db::Read&, RemoteStatus&);
// The same, where it is known which post it changes, or that it changes none.
void judge(db::Read&, RemoteStatus&, std::optional<StatusId> known);
void obey(RemoteStatus&);  // the verdict that it carries

// A new status, or the one known by this uri, untouched. Nothing when it was deleted, or is somebody else's, or answers
// somebody who blocks its author. Emits
// Emits Published, or Backfilled for what is not recent. Throws Invalid: no uri, or one of this site.
std::optional<Creation> store_remote(db::Write&, const RemoteStatus&);

// One that waits for a look by the team, outside of statuses: all that its server said of it, as text (core/held.hpp).
HeldId hold_remote(db::Write&, const RemoteStatus&);
// Now it is stored, as if it had come just now; unless it may not be any more.
void store_held(db::Write&, const Held&);
// Who wrote it, what it says and shows.
RemoteStatus read_held(const Held&);

// A boost. Nothing when it was taken back before, or the original may not be boosted by them.
struct RemoteReblog {
    std::string uri;
    AccountId account;
    StatusId original;
    std::optional<Time> published;
    Visibility visibility = Visibility::public_;
    bool delivered = false;
};
std::optional<Creation> reblog_remote(db::Write&, const RemoteReblog&);

// Event and reaction: more answers and quotes than are joined at once were waiting for this status.
struct JoiningContinued {
    StatusId status;
};
DESCRIBE(JoiningContinued, status)
void continue_joining(db::Write&, const JoiningContinued&);

// Its server says anew what a status is: tallies of its poll, counts, and the content, with history and notices, when
// `updated` says that it is newer than what is known. Nothing for what is not known or is somebody else's.
void edit_remote(db::Write&, const RemoteStatus&);

// Of a post of this site that everybody could see: whether it is deleted, and that may be said.
bool ended_openly(db::Read&, StatusId, AccountId author);

// By its ActivityPub id, whosoever it is; not the deleted ones.
std::optional<StatusId> find_by_uri(db::Read&, std::string_view uri);

// Its author's server deleted it, or took a boost back. What is not known yet is remembered for six hours, so that it
// will not come after its end. Nothing for what is somebody else's.
void remove_remote(db::Write&, AccountId author, std::string_view uri);
// Its server no longer shows it. What not everybody could see may only be hidden from who asked: it stays.
void remove_vanished(db::Write&, StatusId);
void purge_tombstones(db::Write&);  // periodic

// Reactions: everything that an account wrote and liked, chunk after chunk.
struct RemoteStatusesContinued {
    AccountId account;
};
DESCRIBE(RemoteStatusesContinued, account)
// Then the words of all that is deleted, now or before; those with a greater id than `after` are left.
struct DeletedWordsContinued {
    AccountId account;
    StatusId after;
};
DESCRIBE(DeletedWordsContinued, account, after)
void remove_all_of(db::Write&, const accounts::AccountGone&);
void remove_some_of(db::Write&, const RemoteStatusesContinued&);
void empty_deleted(db::Write&, const DeletedWordsContinued&);

// The quoted author agreed to a pending quote, or did not.
void settle_quote(db::Write&, StatusId quoting, bool accepted);

// A pending quote of somebody on another server that says where they agreed.
struct PendingQuote {
    std::string quoting, quoted, author, authorization_uri;  // ids
};
DESCRIBE(PendingQuote, quoting, quoted, author, authorization_uri)
std::optional<PendingQuote> pending_quote(db::Read&, StatusId quoting);

// Event: a verified authorization is to be checked again.
struct AuthorizationDoubted {
    StatusId quoting;
};
DESCRIBE(AuthorizationDoubted, quoting)
// Event: an accepted quote names another authorization, which is to be checked before the old one is dropped.
struct AuthorizationReplaced {
    StatusId quoting;
    std::string authorization_uri;
};
DESCRIBE(AuthorizationReplaced, quoting, authorization_uri)
// It says the same: from now on it is the one that counts. Else the old one is doubted.
void replace_quote_authorization(db::Write&, const AuthorizationReplaced&, bool good);
// The quote that an authorization of another server made accepted.
std::optional<PendingQuote> authorized_quote(db::Read&, StatusId quoting);
// A week after it was last seen.
void doubt_old_authorization(db::Write&, StatusId quoting);
// It is still there; or no more, and the quote is revoked.
void confirm_quote_authorization(db::Write&, StatusId quoting, bool there);

// Event: an answer by somebody on another server, to somebody on a third one, says where they agreed.
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

// What else is kept, for asking its server again.
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
void note_replies_read(db::Write&, StatusId);  // so was its thread

// An answer that came before what it answers began a conversation of its own. When both are known, it moves into the other
// one, with all that hangs below it.

// The answer and the first of what hangs below move at once, the rest later.
void move_thread(db::Write&, StatusId answer, ConversationId);

struct ThreadMovingContinued {
    StatusId answer;
};
DESCRIBE(ThreadMovingContinued, answer)
jobs::Change continue_moving_thread(db::Read&, const ThreadMovingContinued&);  // reaction

}  // namespace statuses

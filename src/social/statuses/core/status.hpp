// SPDX-License-Identifier: AGPL-3.0-or-later
// Statuses: what is stored, and the rules of writing and deleting one. Who may see one is in visibility.hpp.
#pragma once
#include "db/session.hpp"

#include <memory>

namespace statuses {

// Words of locks (db/lock.hpp): of a post by its address; and, shared by all that an author writes until it stands in homes, of the
// author: who looks for what an author wrote so far waits for that.
inline constexpr std::string_view address_lock = "uri", author_lock = "written by";

using base::AccountId;
using base::AppId;
using base::ConversationId;
using base::MediaId;
using base::StatusId;
using base::Time;

// `limited` is addressed to people that are not mentioned; the API shows it as private.
BOOST_DEFINE_ENUM_CLASS(Visibility, public_, unlisted, private_, direct, limited)
BOOST_DEFINE_ENUM_CLASS(QuotePolicy, public_, followers, nobody)
// Who may answer without being asked about it: the author always, who is mentioned, and these. Others may ask, but for
// `nobody`.
BOOST_DEFINE_ENUM_CLASS(ReplyPolicy, public_, followers, following, mentioned, nobody)
// How an answer stands in its thread (interactions/reply_approval.hpp).
BOOST_DEFINE_ENUM_CLASS(ReplyState, shown, pending, hidden)

// Which other tables have rows of a status: bits of statuses.relations.
enum Relation : std::int64_t {
    has_mentions = 1,
    has_tags = 2,
    has_media = 4,
    has_poll = 8,
    has_quote = 16,
    has_card = 32,
};

// Events
struct Published {
    StatusId id;
    AccountId account;
    bool local = true;  // it was written here
    // What its writer knows, so that nobody has to look.
    bool names_nobody = false, links_nothing = false, not_direct = false, nobody_subscribed = false;
    std::optional<std::int64_t> followers;  // of the author, as they are counted
};
DESCRIBE(Published, id, account, local, names_nobody, links_nothing, not_direct, nobody_subscribed, followers)
struct Reblogged {
    StatusId id, original;
    AccountId account, author;
};
DESCRIBE(Reblogged, id, original, account, author)
struct Unreblogged {
    StatusId original;
    AccountId account, author;
};
DESCRIBE(Unreblogged, original, account, author)
struct Favourited {
    StatusId status;
    AccountId account, author;
    base::FavouriteId favourite;
};
DESCRIBE(Favourited, status, account, author, favourite)
struct Unfavourited {
    StatusId status;
    AccountId account, author;
    base::FavouriteId favourite;
};
DESCRIBE(Unfavourited, status, account, author, favourite)
// Who may quote or answer it.
struct InteractionPolicyChanged {
    StatusId id;
    AccountId account;
};
DESCRIBE(InteractionPolicyChanged, id, account)
// `mentioned`: those whom the text named for the first time.
struct Edited {
    StatusId id;
    AccountId account;
    std::vector<AccountId> mentioned;
};
DESCRIBE(Edited, id, account, mentioned)
struct Deleted {
    StatusId id;
    AccountId account;
};
DESCRIBE(Deleted, id, account)

// A deleted status whose reblogs have yet to go.
struct ReblogsContinued {
    StatusId original;
};
DESCRIBE(ReblogsContinued, original)

// What rules and timelines need to know of a stored status.
struct Status {
    StatusId id;
    AccountId account_id;
    ConversationId conversation_id;
    StatusId in_reply_to_id;
    AccountId in_reply_to_account_id;
    StatusId reblog_of_id;
    AccountId reblog_account_id;  // author of the original
    Visibility visibility = Visibility::public_;
    std::optional<std::string> language;
    std::string text, spoiler_text;
};
DESCRIBE(
    Status, id, account_id, conversation_id, in_reply_to_id, in_reply_to_account_id, reblog_of_id,
    reblog_account_id, visibility, language, text, spoiler_text
)

std::optional<Status> find_status(db::Read&, StatusId);  // not the deleted ones; checks no visibility
std::vector<AccountId> mentioned(db::Read&, StatusId);

// What an author hands in; compose.hpp makes the content.
struct Content {
    std::string html;
    std::vector<AccountId> mentions;
    std::vector<std::pair<std::string, std::string>> tags;  // normalised name, name as written
};

struct PollDraft {
    std::vector<std::string> options;
    std::optional<std::int64_t> expires_in;  // seconds
    bool multiple = false, hide_totals = false;
};
DESCRIBE(PollDraft, options, expires_in, multiple, hide_totals)

// What rules of the team say of it (gate.hpp); null where they say nothing.
struct Verdict;

struct Draft {
    AccountId account;
    AppId app;
    std::string text, spoiler_text, content_type = "text/plain";
    bool sensitive = false;
    Visibility visibility = Visibility::public_;
    QuotePolicy quote_policy = QuotePolicy::public_;
    ReplyPolicy reply_policy = ReplyPolicy::public_;
    std::optional<std::string> language;
    StatusId in_reply_to, quoted_status;
    std::vector<MediaId> media;
    std::optional<PollDraft> poll;  // checked (poll.hpp)
    bool local_only = false;
    std::optional<Time> scheduled_at;                        // in the future; for schedule()
    std::optional<std::vector<AccountId>> allowed_mentions;  // nobody else may be mentioned
    Content content;
    std::string idempotency_key;             // empty: none
    std::shared_ptr<const Verdict> verdict;  // obeyed already, but for what it refuses
};

struct Creation {
    StatusId id;
    bool created = true;  // false: the idempotency key was used before
};

// Throws Invalid (blank, too long, media) and NotFound (target of a reply or quote).
Creation create(db::Write&, const Draft&);
// Throws what create() would, media aside.
void check(db::Read&, const Draft&);

void purge_idempotency_keys(db::Write&);  // periodic

// The status itself or, of a reblog, the original: what favourites and bookmarks point to.
StatusId original_of(const Status&);

// The existing reblog or a new one. Throws NoSuchStatus, Forbidden, Invalid.
Creation reblog(db::Write&, AccountId me, StatusId, std::optional<Visibility>);
void unreblog(db::Write&, AccountId me, StatusId original);
void favourite(db::Write&, AccountId me, StatusId, std::string_view uri);  // uri: of the Like, or empty
void unfavourite(db::Write&, AccountId me, StatusId);
bool has_favourited(db::Read&, AccountId, StatusId original);
std::optional<StatusId> favourited_by_uri(db::Read&, AccountId, std::string_view uri);
void bookmark(db::Write&, AccountId me, StatusId);
void unbookmark(db::Write&, AccountId me, StatusId);

// Own statuses only, else NoSuchStatus. The row stays, hidden; reblogs of it go too.
void remove(db::Write&, AccountId me, StatusId, bool with_media);

// Takes down some of the reblogs of a deleted status and, when more are left, emits its event again.
void remove_reblogs(db::Write&, const ReblogsContinued&);

// What the ActivityPub id of a status is made of: of one from elsewhere it is stored. That of a boost is its Announce.
struct Named {
    StatusId id;
    std::optional<std::string> uri;
    AccountId account_id;
    std::string account_uri;  // as stored
    bool is_reblog = false;
};
std::string uri_of(const base::Site&, const Named&);

// What statuses say, for a line about them.
struct SaidInStatus {
    StatusId id;
    std::string spoiler_text, content;
};
DESCRIBE(SaidInStatus, id, spoiler_text, content)
extern const db::Query<SaidInStatus> said_in_statuses;  // of the ids $1

// Everybody's view of this status changes.
void touch(db::Write&, StatusId);

// The groups of visibilities that rules ask for, in C++ and in SQL.

// For everybody to read. Only such answers and quotes are counted, since the numbers are shown to everybody.
constexpr bool open(Visibility v) { return v == Visibility::public_ || v == Visibility::unlisted; }
#define OPEN_VISIBILITIES "('public', 'unlisted')"

// One of the statuses that a profile counts.
constexpr bool counted(Visibility v) { return v != Visibility::direct && v != Visibility::limited; }

}  // namespace statuses

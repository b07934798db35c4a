// SPDX-License-Identifier: AGPL-3.0-or-later
// Statuses: what is stored, and the rules of writing and deleting one. Who may see one is in visibility.hpp.
#pragma once
#include "db/session.hpp"

#include <memory>

namespace statuses {

// Names of locks (db/lock.hpp). `address_lock`: a post, by its address. `author_lock`: an author, shared by
// all transactions in which they write until the post is in home timelines; code that looks for everything an
// author wrote so far takes it exclusively.
inline constexpr std::string_view address_lock = "uri", author_lock = "written by";

using base::AccountId;
using base::AppId;
using base::ConversationId;
using base::MediaId;
using base::StatusId;
using base::Time;

// `limited`: addressed to people who are not mentioned; the API shows it as private.
BOOST_DEFINE_ENUM_CLASS(Visibility, public_, unlisted, private_, direct, limited)
BOOST_DEFINE_ENUM_CLASS(QuotePolicy, public_, followers, nobody)
// Who may reply without approval, besides the author and the mentioned accounts. Others may ask for approval,
// except with `nobody`.
BOOST_DEFINE_ENUM_CLASS(ReplyPolicy, public_, followers, following, mentioned, nobody)
// How a reply is shown in its thread (interactions/reply_approval.hpp).
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
    // Known to the writer, which saves lookups.
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
// Who may quote it or reply to it.
struct InteractionPolicyChanged {
    StatusId id;
    AccountId account;
};
DESCRIBE(InteractionPolicyChanged, id, account)
// `mentioned`: those whom the text named for the first time. `says_the_same`: nothing but whom it names or its hashtags is new,
// which is no edit to tell others of.
struct Edited {
    StatusId id;
    AccountId account;
    std::vector<AccountId> mentioned;
    bool says_the_same = false;
};
DESCRIBE(Edited, id, account, mentioned, says_the_same)
struct Deleted {
    StatusId id;
    AccountId account;
};
DESCRIBE(Deleted, id, account)

// A deleted status whose reblogs are still to be removed.
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

std::optional<Status> find_status(db::Read&, StatusId);  // excludes deleted ones; does not check visibility
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

// The verdict of the team's rules (gate.hpp); null if no rule matched.
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
    std::optional<std::vector<AccountId>> allowed_mentions;  // only these may be mentioned
    Content content;
    std::string idempotency_key;             // empty: none
    std::shared_ptr<const Verdict> verdict;  // already applied, except for a refusal
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

// The status itself or, for a reblog, its original: the target of favourites and bookmarks.
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

// Own statuses only, else NoSuchStatus. The row stays, marked as deleted; its reblogs are removed too.
void remove(db::Write&, AccountId me, StatusId, bool with_media);

// Removes some reblogs of a deleted status; if more are left, emits the event again.
void remove_reblogs(db::Write&, const ReblogsContinued&);

// Fields that make up the ActivityPub id of a status. Remote statuses have it stored. The id of a boost is
// that of its Announce.
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

// Groups of visibilities that rules use, in C++ and in SQL.

// Readable by everybody. Only such replies and quotes are counted, because the counts are public.
constexpr bool open(Visibility v) { return v == Visibility::public_ || v == Visibility::unlisted; }
#define OPEN_VISIBILITIES "('public', 'unlisted')"

// Whether it is included in the status count of the profile.
constexpr bool counted(Visibility v) { return v != Visibility::direct && v != Visibility::limited; }

}  // namespace statuses

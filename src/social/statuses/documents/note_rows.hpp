// SPDX-License-Identifier: AGPL-3.0-or-later
// What ActivityPub says of statuses, as it is read: one query for each kind of thing, however many statuses. Private to
// note_ap.cpp and activities_ap.cpp.
#pragma once
#include "social/emojis/emoji.hpp"
#include "social/media/media.hpp"
#include "social/statuses/polls/poll.hpp"
#include "social/statuses/quotes/quote.hpp"

namespace statuses {

struct NoteRow {
    StatusId id;
    std::optional<std::string> uri;
    AccountId account_id;
    std::string account_uri, username;
    bool sensitized = false, silenced = false, deleted = false;
    StatusId in_reply_to_id, reblog_of_id;
    Visibility visibility = Visibility::public_;
    std::int64_t relations = 0;
    bool sensitive = false;
    std::int64_t reblogs_count = 0, favourites_count = 0;
    Time created_at;
    std::optional<Time> edited_at;
    std::optional<std::string> language;
    QuotePolicy quote_policy = QuotePolicy::public_;
    ReplyPolicy reply_policy = ReplyPolicy::public_;
    std::string spoiler_text, text, content;
    // Of what it answers.
    std::optional<std::string> parent_uri;
    AccountId parent_account_id;
    std::string parent_account_uri;
    std::optional<std::string> reply_authorization;  // approved; empty: by an author here
    // Of what it boosts.
    std::optional<std::string> original_uri;
    AccountId original_account_id;
    std::string original_account_uri;
    // Of its conversation.
    StatusId conversation_status_id;
    AccountId conversation_account_id;
    std::optional<std::string> conversation_uri;

    std::string actor(const base::Site&) const;
    std::string own_uri(const base::Site&) const;
    std::string original(const base::Site&) const;
    std::string original_author(const base::Site&) const;
};
DESCRIBE(
    NoteRow, id, uri, account_id, account_uri, username, sensitized, silenced, deleted, in_reply_to_id,
    reblog_of_id, visibility, relations, sensitive, reblogs_count, favourites_count, created_at, edited_at,
    language, quote_policy, reply_policy, spoiler_text, text, content, parent_uri, parent_account_id,
    parent_account_uri, reply_authorization, original_uri, original_account_id, original_account_uri,
    conversation_status_id, conversation_account_id, conversation_uri
)
std::vector<NoteRow> note_rows(db::Read&, const std::vector<StatusId>&);  // deleted ones, too
NoteRow note_row(db::Read&, StatusId);                                    // throws NoSuchStatus

// Somebody whom a status addresses.
struct Addressed {
    StatusId status_id;
    AccountId id;
    std::string username, domain, uri, actor_type, followers;
    bool silent = false, follows = false;  // the author
};
DESCRIBE(Addressed, status_id, id, username, domain, uri, actor_type, followers, silent, follows)

struct NoteTag {
    StatusId status_id;
    std::string name;
};
DESCRIBE(NoteTag, status_id, name)

struct NoteQuote {
    QuoteId id;
    StatusId status_id;
    QuoteState state = QuoteState::pending;
    std::optional<std::string> authorization_uri;
    StatusId quoted_id;
    std::optional<std::string> quoted_uri, quoted_url;
    AccountId quoted_account_id;
    std::string account_uri, username, domain;
    bool gone = false;  // what it quotes
};
DESCRIBE(
    NoteQuote, id, status_id, state, authorization_uri, quoted_id, quoted_uri, quoted_url, quoted_account_id,
    account_uri, username, domain, gone
)
std::optional<NoteQuote> find_quote(db::Read&, QuoteId);
std::string quoted_uri(const base::Site&, const NoteQuote&);

// An answer of the author's own.
struct SelfReply {
    StatusId parent_id, id;
    std::optional<std::string> uri;
};
DESCRIBE(SelfReply, parent_id, id, uri)
constexpr int self_replies_shown = 5;

struct NoteParts {
    std::vector<Addressed> addressed;
    std::vector<NoteTag> tags;
    std::vector<media::Media> media;
    std::vector<NoteQuote> quotes;
    std::vector<Poll> polls;
    std::vector<SelfReply> replies;
    emojis::InTexts emojis;
};
NoteParts note_parts(db::Read&, const std::vector<NoteRow>&);

}  // namespace statuses

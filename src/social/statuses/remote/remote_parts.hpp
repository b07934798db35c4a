// SPDX-License-Identifier: AGPL-3.0-or-later
// What storing and editing a remote status have in common. Private to the slice.
#pragma once
#include "social/statuses/interactions/reply_approval.hpp"
#include "social/statuses/remote/remote.hpp"
#include "social/statuses/writing/relations.hpp"

namespace statuses {

// The content that is shown, sanitized and limited in length.
struct RemoteText {
    std::string html, spoiler_text;
    std::optional<std::string> language;
    std::vector<media::RemoteMedia> media;
    NamedTags tags;
};
RemoteText text_of(db::Read&, const RemoteStatus&, const std::string& domain);

// An id that sorts the status by its date, and above `below` if both were created at the same moment.
StatusId id_by_date(db::Read&, std::string_view uri, Time created, StatusId below = {});

// Accounts that it mentions: unique, without the author, limited to most_remote_mentions.
std::vector<AccountId> tagged(const RemoteStatus&);
void put_silent_mentions(db::Write&, StatusId, const RemoteStatus&);

// False if there are fewer than two options.
bool usable(const std::optional<RemotePoll>&);
void add_remote_poll(db::Write&, StatusId, AccountId author, const RemotePoll&);
// Whether it has the same options as the stored poll, so that only the counts differ.
bool asks_the_same(const Poll&, const RemotePoll&);
void update_tallies(db::Write&, StatusId, const RemotePoll&);

// Quotes and replies: attached to known statuses, or waiting for unknown ones.
void quote_remote(db::Write&, StatusId, const RemoteStatus&);
// It names the quoted author's authorization only now.
void recheck_quote_authorization(db::Write&, StatusId, const RemoteStatus&);
// Replies and quotes that wait for the status with this uri; limited if there are many.
struct Waiting {
    std::vector<StatusId> answers, quotes;
};
Waiting waiting_for(db::Read&, std::string_view uri);
void expect_waiting(db::Read&, std::string_view uri);     // db::Read::expect
void join_waiting(db::Write&, StatusId, const Waiting&);  // attaches them to the status, which is stored now

// The approval state of a remote reply to its parent. Denied: its parent's local author does not accept
// replies.
Approval remote_reply_approval(db::Read&, const Access& parent);
void add_remote_reply(db::Write&, const Reply&, const Access& parent, Approval);
// It names the approval of its parent's author only now.
void recheck_reply_authorization(db::Write&, StatusId, const RemoteStatus&);
bool of_one_server(std::string_view one, std::string_view other);  // whether two ids are on the same server

std::int64_t remote_relations(const RemoteStatus&, const RemoteText&, bool media, bool quote);

}  // namespace statuses

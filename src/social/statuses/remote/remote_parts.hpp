// SPDX-License-Identifier: AGPL-3.0-or-later
// What storing and editing a status of another server share. Private to the slice.
#pragma once
#include "social/statuses/interactions/reply_approval.hpp"
#include "social/statuses/remote/remote.hpp"
#include "social/statuses/writing/relations.hpp"

namespace statuses {

// What is shown of it, cleaned and bounded.
struct RemoteText {
    std::string html, spoiler_text;
    std::optional<std::string> language;
    std::vector<media::RemoteMedia> media;
    NamedTags tags;
};
RemoteText text_of(db::Read&, const RemoteStatus&, const std::string& domain);

// An id that puts the status where its date does, and above `below` where both are of one moment.
StatusId id_by_date(db::Read&, std::string_view uri, Time created, StatusId below = {});

// Not the author, each once; at most as many as are kept.
std::vector<AccountId> tagged(const RemoteStatus&);
void put_silent_mentions(db::Write&, StatusId, const RemoteStatus&);

// False where there are fewer than two options.
bool usable(const std::optional<RemotePoll>&);
void add_remote_poll(db::Write&, StatusId, AccountId author, const RemotePoll&);
// Whether it asks the same as the poll that is known, and only the numbers differ.
bool asks_the_same(const Poll&, const RemotePoll&);
void update_tallies(db::Write&, StatusId, const RemotePoll&);

// Quotes and answers: to what is known, or waiting for it.
void quote_remote(db::Write&, StatusId, const RemoteStatus&);
// It says only now where the quoted author agrees.
void recheck_quote_authorization(db::Write&, StatusId, const RemoteStatus&);
// What answers and quotes a status of this uri and waits for it; some of them, where many do.
struct Waiting {
    std::vector<StatusId> answers, quotes;
};
Waiting waiting_for(db::Read&, std::string_view uri);
void expect_waiting(db::Read&, std::string_view uri);     // db::Read::expect
void join_waiting(db::Write&, StatusId, const Waiting&);  // it is here now: they are tied to it

// How an answer from another server stands to what it answers. Denied is what answers somebody here who wants no answers.
Approval remote_reply_approval(db::Read&, const Access& parent);
void add_remote_reply(db::Write&, const Reply&, const Access& parent, Approval);
// It says only now where who it answers agreed.
void recheck_reply_authorization(db::Write&, StatusId, const RemoteStatus&);
bool of_one_server(std::string_view one, std::string_view other);  // two ids

std::int64_t remote_relations(const RemoteStatus&, const RemoteText&, bool media, bool quote);

}  // namespace statuses

// SPDX-License-Identifier: AGPL-3.0-or-later
// Polls: what is asked, who voted for what, and when it ends. A status has one at most, and the poll is known by
// the id of its status.
#pragma once
#include "jobs/reactions.hpp"
#include "social/statuses/core/status.hpp"

namespace statuses {

constexpr std::int64_t poll_shortest_seconds = 300, poll_longest_seconds = 2'629'746;
constexpr std::size_t poll_option_characters = 50;

// Titles trimmed, blank ones dropped. Throws Invalid.
PollDraft checked(const base::Site&, PollDraft);

struct PollOption {
    std::string title;
    std::int64_t votes_count = 0;
};

struct Poll {
    StatusId id;
    AccountId account_id;
    bool multiple = false, hide_totals = false;
    std::optional<Time> expires_at;            // remote ones may go on for ever
    std::optional<std::int64_t> voters_count;  // remote ones may not know
    std::vector<PollOption> options;

    bool expired(Time now) const { return expires_at && *expires_at <= now; }
};

// Of those that have one, by id: one query.
std::vector<Poll> polls(db::Read&, const std::vector<StatusId>&);
std::optional<Poll> find_poll(db::Read&, StatusId);

// Counted from now.
Time end_of(const db::Read&, const PollDraft&);
// `draft` is checked().
void add_poll(db::Write&, StatusId, AccountId author, const PollDraft&);
// Whether putting `draft` in the place of what is there is a change that an edit records.
bool differs(const std::optional<Poll>&, const std::optional<PollDraft>&);
// What was asked decides: other options or another multiplicity take all votes away.
void drop_poll(db::Write&, StatusId);  // with its options and votes
void replace_poll(db::Write&, StatusId, AccountId author, const std::optional<PollDraft>&);

struct OwnVote {
    StatusId poll;
    std::int64_t choice = 0;
};
DESCRIBE(OwnVote, poll, choice)
// Of one account in any of these polls: one query.
std::vector<OwnVote> votes_of(db::Read&, AccountId, const std::vector<StatusId>&);

// Throws NoSuchStatus, Forbidden (a block), Invalid (ended, own, voted already, no such option).
void vote(db::Write&, AccountId me, StatusId, const std::vector<std::int64_t>& choices);

// Somebody voted, or voted for more: `choices` are the new ones.
struct Voted {
    StatusId poll;
    AccountId account, author;
    std::vector<std::int64_t> choices;
};
DESCRIBE(Voted, poll, account, author, choices)
struct PollEnded {
    StatusId poll;
    AccountId author;
};
DESCRIBE(PollEnded, poll, author)

// Periodic: says of each poll once that it ended.
jobs::Change end_polls(db::Read&);
// Who voted, by id; those behind `after`.
std::vector<AccountId> voters(db::Read&, StatusId, AccountId after, int limit);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_poll_votes;

}  // namespace statuses

// SPDX-License-Identifier: AGPL-3.0-or-later
// Votes and the end of polls.
#include "social/statuses/interactions/interaction_rules.hpp"
#include "social/statuses/polls/poll.hpp"

#include <algorithm>

namespace statuses {

const db::Query<OwnVote> votes_of_account{
    "votes_of_account",
    R"(SELECT status_id AS poll, choice FROM poll_votes
       WHERE account_id = $1 AND status_id IN LIST($2)
       ORDER BY status_id, position, choice)"
};

std::vector<OwnVote> votes_of(db::Read& db, AccountId account, const std::vector<StatusId>& polls) {
    return db.all(votes_of_account, account, polls);
}

namespace {

[[noreturn]] void refuse(const char* why) { throw base::Invalid(std::string("Validation failed: ") + why); }

void check(
    const Poll& poll, AccountId me, const std::vector<std::int64_t>& choices,
    const std::vector<OwnVote>& earlier, Time now
) {
    auto options = static_cast<std::int64_t>(poll.options.size());
    if (poll.expired(now)) refuse("The poll has already ended");
    if (poll.account_id == me) refuse("You cannot vote in your own polls");
    for (auto choice : choices)
        if (choice < 0 || choice >= options) refuse("The chosen vote option does not exist");
    auto voted = [&](std::int64_t choice) {
        return std::ranges::find(earlier, choice, &OwnVote::choice) != earlier.end() ||
               std::ranges::count(choices, choice) > 1;
    };
    bool too_many = !poll.multiple && (choices.size() > 1 || !earlier.empty());
    if (too_many || std::ranges::any_of(choices, voted)) refuse("You have already voted on this poll");
}

}  // namespace

const db::Command insert_poll_vote{
    "insert_poll_vote",
    R"(INSERT INTO poll_votes (status_id, account_id, choice, position) VALUES ($1, $2, $3, $4)
       ON CONFLICT (status_id, account_id, choice) DO NOTHING)"
};
const db::Command count_poll_vote{
    "count_poll_vote",
    "UPDATE poll_options SET votes_count = votes_count + 1 WHERE status_id = $1 AND position = $2"
};
const db::Command count_poll_voter{
    "count_poll_voter", "UPDATE polls SET voters_count = voters_count + 1 WHERE status_id = $1"
};

void vote(db::Write& db, AccountId me, StatusId id, const std::vector<std::int64_t>& choices) {
    auto access = access_to(db, me, id);
    if (!access || !access->sees) throw base::NoSuchStatus();
    auto poll = find_poll(db, id);
    if (!poll) throw base::NoSuchStatus();
    if (access->blocking || access->blocked) throw base::Forbidden();
    if (choices.empty()) throw base::BadRequest("param is missing or the value is empty or invalid: choices");
    auto earlier = votes_of(db, me, {id});
    check(*poll, me, choices, earlier, db.now());
    auto position = static_cast<std::int64_t>(earlier.size());
    for (auto choice : choices) {
        db.run(insert_poll_vote, id, me, choice, position++);
        db.run(count_poll_vote, id, choice);
    }
    if (earlier.empty()) db.run(count_poll_voter, id);
    touch(db, id);
    db.emit(Voted{id, me, poll->account_id, choices});
}

const db::Query<PollEnded> end_due_polls{
    "end_due_polls",
    R"(UPDATE polls SET ended = TRUE WHERE status_id IN (
           SELECT status_id FROM polls WHERE ended = FALSE AND expires_at IS NOT NULL AND expires_at <= $1
           ORDER BY expires_at LIMIT 200)
       RETURNING status_id AS poll, account_id AS author)"
};

const db::Query<bool> poll_is_due{
    "poll_is_due",
    "SELECT EXISTS (SELECT 1 FROM polls WHERE ended = FALSE AND expires_at IS NOT NULL AND expires_at <= $1) "
    "AS due"
};

jobs::Change end_polls(db::Read& db) {
    if (!db.one(poll_is_due, db.now())) return {};
    return [](db::Write& change) {
        for (const auto& ended : change.all(end_due_polls, change.now()))
            if (find_status(change, ended.poll)) change.emit(ended);
    };
}

const db::Query<AccountId> voters_of_poll{
    "voters_of_poll",
    R"(SELECT DISTINCT account_id FROM poll_votes WHERE status_id = $1 AND account_id > $2
       ORDER BY account_id LIMIT $3)"
};

std::vector<AccountId> voters(db::Read& db, StatusId poll, AccountId after, int limit) {
    return db.all(voters_of_poll, poll, after, limit);
}

const db::Command drop_own_poll_votes{
    "drop_own_poll_votes",
    R"(DELETE FROM poll_votes WHERE account_id = $1 AND status_id IN (
           SELECT status_id FROM poll_votes WHERE account_id = $1 ORDER BY status_id LIMIT $2))"
};

}  // namespace statuses

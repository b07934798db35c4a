// SPDX-License-Identifier: AGPL-3.0-or-later
// Votes that come at the same time, on an engine with its threads.
#include "db/engine_fixture.hpp"
#include "social/statuses/polls/poll.hpp"

namespace {

using statuses::AccountId, statuses::StatusId;

const db::Command insert_account{
    "test_race_insert_account",
    R"(INSERT INTO accounts (id, username, avatar, header, created_at)
       VALUES ($1, CAST($2 AS TEXT), '', '', 0))"
};
const db::Command insert_status{
    "test_race_insert_status",
    R"(INSERT INTO statuses (id, account_id, conversation_id, visibility, created_at)
       VALUES ($1, $2, 1, 'public', 0))"
};

struct PollRace : EngineFixture {
    static constexpr AccountId author{1};
    static constexpr StatusId poll{10};

    PollRace() {
        database.options.prepare = [](db::Connection& connection) { db::migrate(connection, {1000}); };
        start();
        write([](db::Write& db) {
            for (std::int64_t id = 1; id <= 5; ++id)
                db.run(insert_account, AccountId{id}, "account" + std::to_string(id));
            db.run(insert_status, poll, author);
        });
    }
    void ask(bool multiple) {
        write([&](db::Write& db) {
            statuses::add_poll(db, poll, author, {{"a", "b", "c"}, 600, multiple, false});
        });
    }
    Outcome vote(std::int64_t account, std::vector<std::int64_t> choices) {
        return post([=](db::Write& db) { statuses::vote(db, AccountId{account}, poll, choices); });
    }
    // How many of them counted; the others were told why not.
    static int counted(std::vector<Outcome> outcomes) {
        int count = 0;
        for (auto& outcome : outcomes) try {
                outcome.get();
                ++count;
            } catch (const base::Invalid& refusal) {
                EXPECT_STREQ(refusal.what(), "Validation failed: You have already voted on this poll");
            }
        return count;
    }
    statuses::Poll result() {
        return *read([](db::Read& db) { return statuses::find_poll(db, poll); });
    }
};
ON_EACH_DATABASE(PollRace);

TEST_P(PollRace, counts_each_account_once) {
    ask(false);
    std::vector<Outcome> outcomes;
    for (int round = 0; round < 10; ++round)
        for (std::int64_t account = 2; account <= 5; ++account)
            outcomes.push_back(vote(account, {round % 3}));
    EXPECT_EQ(counted(std::move(outcomes)), 4);
    auto poll = result();
    EXPECT_EQ(poll.voters_count, 4);
    EXPECT_EQ(poll.options[0].votes_count + poll.options[1].votes_count + poll.options[2].votes_count, 4);
}

TEST_P(PollRace, counts_each_choice_once) {
    ask(true);
    std::vector<Outcome> outcomes;
    for (int round = 0; round < 12; ++round)
        for (std::int64_t account = 2; account <= 4; ++account)
            outcomes.push_back(vote(account, {round % 3}));
    EXPECT_EQ(counted(std::move(outcomes)), 9);
    auto poll = result();
    EXPECT_EQ(poll.voters_count, 3);
    for (const auto& option : poll.options) EXPECT_EQ(option.votes_count, 3);
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// Several nodes on one database, all of which write about the same rows at once. SQLite has one node.
#include "db/engine.hpp"
#include "db/engine_fixture.hpp"
#include "social/statuses/core/status.hpp"

#include <thread>

namespace {

using statuses::AccountId, statuses::StatusId;

const db::Command insert_account{
    "test_nodes_insert_account",
    R"(INSERT INTO accounts (id, username, avatar, header, created_at)
       VALUES ($1, CAST($2 AS TEXT), '', '', 0))"
};
const db::Command insert_status{
    "test_nodes_insert_status",
    R"(INSERT INTO statuses (id, account_id, conversation_id, visibility, created_at)
       VALUES ($1, $2, 1, 'public', 0))"
};
struct Counts {
    std::int64_t statuses, replies, favourites, rows, uses;
};
DESCRIBE(Counts, statuses, replies, favourites, rows, uses)
const db::Query<Counts> counts{
    "test_nodes_counts",
    R"(SELECT (SELECT statuses_count FROM accounts WHERE id = 1),
           (SELECT replies_count FROM statuses WHERE id = 10),
           (SELECT favourites_count FROM statuses WHERE id = 10),
           (SELECT count(*) FROM statuses WHERE in_reply_to_id = 10),
           (SELECT count(*) FROM status_tags))"
};

struct Nodes : EngineFixture {
    static constexpr std::size_t nodes = 3;
    static constexpr int threads_each = 2, rounds = 12;

    Nodes() {
        database.options.prepare = [](db::Connection& connection) { db::migrate(connection, {1000}); };
        start();
        write([](db::Write& db) {
            for (std::int64_t id = 1; id <= 3; ++id)
                db.run(insert_account, AccountId{id}, "account" + std::to_string(id));
            db.run(insert_status, StatusId{10}, AccountId{2});
        });
        database.options.prepare = {};
        for (std::size_t i = 1; i < nodes && database.is_postgres(); ++i) {
            others.push_back(db::open_engine(database.options));
            others.back()->start();
        }
    }
    ~Nodes() override { others.clear(); }

    db::Engine& node(std::size_t number) {
        return number < others.size() ? *others[number] : static_cast<db::Engine&>(*engine);
    }

    std::vector<std::unique_ptr<db::RunningEngine>> others;
};
ON_EACH_DATABASE(Nodes);

TEST_P(Nodes, count_all_that_is_said_and_done_about_the_same_post_and_by_the_same_account) {
    auto answer = [](db::Write& db) {
        statuses::Draft draft;
        draft.account = AccountId{1};
        draft.text = "An answer about #water";
        draft.in_reply_to = StatusId{10};
        draft.content.html = "<p>An answer</p>";
        draft.content.tags = {{"water", "water"}};
        statuses::create(db, draft);
    };
    auto waver = [](db::Write& db) {
        const StatusId status{10};
        if (statuses::has_favourited(db, AccountId{3}, status))
            statuses::unfavourite(db, AccountId{3}, status);
        else statuses::favourite(db, AccountId{3}, status, "");
    };
    {
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < nodes * threads_each; ++t)
            threads.emplace_back([&, t] {
                for (int round = 0; round < rounds; ++round) {
                    db::write_and_wait(node(t % nodes), "answer", answer);
                    db::write_and_wait(node(t % nodes), "waver", waver);
                }
            });
    }
    constexpr auto answers = std::int64_t{nodes} * threads_each * rounds;
    auto found = read([](db::Read& db) { return db.one(counts); });
    EXPECT_EQ(found.rows, answers);
    EXPECT_EQ(found.statuses, answers);
    EXPECT_EQ(found.replies, answers);
    EXPECT_EQ(found.uses, answers);
    EXPECT_EQ(found.favourites, 0);  // an even number of changes of mind
}

}  // namespace

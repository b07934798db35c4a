// SPDX-License-Identifier: AGPL-3.0-or-later
// The numbers of answers and quotes tell of no more than everybody can read.
#include "social/statuses/core/counting.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"

#include <gmock/gmock.h>

struct TestCounts {
    std::int64_t wrong = 0, good = 0;
};
DESCRIBE(TestCounts, wrong, good)

const db::Command test_plain_statuses{
    "test_plain_statuses",
    R"(INSERT INTO statuses (id, account_id, conversation_id, visibility, replies_count, created_at)
       WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $2)
       SELECT n, $1, 1, 'public', 3, 0 FROM numbers)",
    R"(INSERT INTO statuses (id, account_id, conversation_id, visibility, replies_count, created_at)
       SELECT n, $1::bigint, 1, 'public', 3, 0 FROM generate_series(1, $2::bigint) n)"
};
// One public answer and one for followers to each of them.
const db::Command test_plain_answers{
    "test_plain_answers",
    R"(INSERT INTO statuses (id, account_id, conversation_id, visibility, in_reply_to_id, created_at)
       SELECT id + $1, account_id, 1, $2, id, 0 FROM statuses WHERE id <= $3)"
};
const db::Query<TestCounts> test_replies_counts{
    "test_replies_counts",
    R"(SELECT count(CASE WHEN replies_count <> 1 THEN 1 END) AS wrong,
              count(CASE WHEN replies_count = 1 THEN 1 END) AS good FROM statuses WHERE id <= $1)"
};
const db::Query<std::int64_t> test_recounting_jobs{
    "test_recounting_jobs", "SELECT count(*) AS n FROM jobs WHERE kind = 'recount'"
};
const db::Command test_one_status{
    "test_one_status",
    "INSERT INTO statuses (id, account_id, conversation_id, visibility, created_at) VALUES (1, 1, 1, "
    "'public', 0)"
};

namespace {

struct Counting : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");
    std::string root = alice.status("root");

    std::string replies(const std::string& id) {
        return alice.get("/api/v1/statuses/" + id)["replies_count"];
    }
    std::string quotes(const std::string& id) { return alice.get("/api/v1/statuses/" + id)["quotes_count"]; }
};
ON_EACH_DATABASE(Counting);

TEST_P(Counting, replies_counts_what_everybody_may_read) {
    auto open = bob.answers(root, "open"), quiet = bob.answers(root, "quiet", {{"visibility", "unlisted"}});
    EXPECT_EQ(replies(root), "2");
    auto followers = bob.answers(root, "for followers", {{"visibility", "private"}});
    auto direct = bob.answers(root, "@alice psst", {{"visibility", "direct"}});
    EXPECT_EQ(replies(root), "2");
    for (const auto& id : {followers, direct}) {
        EXPECT_EQ(bob.del("/api/v1/statuses/" + id).status, 200);
        EXPECT_EQ(replies(root), "2");
    }
    bob.del("/api/v1/statuses/" + quiet);
    EXPECT_EQ(replies(root), "1");
    bob.del("/api/v1/statuses/" + open);
    EXPECT_EQ(replies(root), "0");
}

TEST_P(Counting, replies_of_other_servers_counts_the_same) {
    auto carol = remote::somebody(w, "carol");
    auto answer = [&](const std::string& name, statuses::Visibility visibility) {
        auto note = remote::note(w, carol, name);
        note.in_reply_to = uri_of(w, root);
        note.visibility = visibility;
        note.mentions = {{remote::number(alice)}};
        EXPECT_NE(remote::stored(w, note), "");
        return note.uri;
    };
    using statuses::Visibility;
    auto open = answer("1", Visibility::public_);
    answer("2", Visibility::unlisted);
    auto followers = answer("3", Visibility::private_);
    answer("4", Visibility::direct);
    answer("5", Visibility::limited);
    EXPECT_EQ(replies(root), "2");
    for (const auto& uri : {followers, open})
        w.write([&](db::Write& db) { statuses::remove_remote(db, carol, uri); });
    EXPECT_EQ(replies(root), "1");
}

TEST_P(Counting, replies_that_waited_for_their_parent_counts_the_same) {
    auto carol = remote::somebody(w, "carol");
    remote::follows(w, alice, carol);
    auto parent = remote::note(w, carol, "parent");
    for (auto [name, visibility] :
         {std::pair("1", statuses::Visibility::public_), std::pair("2", statuses::Visibility::private_)}) {
        auto note = remote::note(w, carol, name);
        note.in_reply_to = parent.uri;
        note.visibility = visibility;
        remote::stored(w, note);
    }
    auto id = remote::stored(w, parent);
    EXPECT_EQ(replies(id), "1");
    EXPECT_THAT(alice.get("/api/v1/statuses/" + id + "/context")["descendants.1.id"], testing::Ne("absent"));
}

TEST_P(Counting, quotes_counts_what_everybody_may_read) {
    auto open = bob.status("look", {{"quoted_status_id", root}});
    auto followers = bob.status("look", {{"quoted_status_id", root}, {"visibility", "private"}});
    auto direct = bob.status("look, @alice", {{"quoted_status_id", root}, {"visibility", "direct"}});
    EXPECT_EQ(quotes(root), "1");
    bob.del("/api/v1/statuses/" + followers);
    EXPECT_EQ(alice.post("/api/v1/statuses/" + root + "/quotes/" + direct + "/revoke").status, 200);
    EXPECT_EQ(quotes(root), "1");
    bob.del("/api/v1/statuses/" + open);
    EXPECT_EQ(quotes(root), "0");
}

TEST_P(Counting, anew_ends_with_the_right_numbers_across_the_chunks) {
    constexpr std::int64_t many = 2001, apart = 100'000;
    w.write([&](db::Write& db) {
        db.run(test_plain_statuses, remote::number(bob), many);
        db.run(test_plain_answers, apart, "public", many);
        db.run(test_plain_answers, 2 * apart, "private", many);
        db.emit(statuses::RecountContinued{});
    });
    EXPECT_GT(w.run_jobs(), 4);  // 6,000 statuses
    auto counts = w.read([&](db::Read& db) { return db.one(test_replies_counts, many); });
    EXPECT_EQ(counts.wrong, 0);
    EXPECT_EQ(counts.good, many);
    EXPECT_EQ(w.read([](db::Read& db) { return db.one(test_recounting_jobs); }), 0);
}

TEST_P(Counting, anew_loses_nothing_that_happens_meanwhile) {
    bob.answers(root, "before");
    w.write([&](db::Write& db) { statuses::count_reply(db, remote::status(root), {}, 1); });
    EXPECT_EQ(replies(root), "2");
    auto change = w.read([&](db::Read& db) {
        return statuses::recount(db, {base::StatusId{remote::status(root).value - 1}});
    });
    bob.answers(root, "meanwhile");
    ASSERT_TRUE(change);
    w.write(change);
    EXPECT_EQ(replies(root), "2");
}

struct CountsOfOldDatabases : support::OnEachDatabase {};
ON_EACH_DATABASE(CountsOfOldDatabases);

TEST_P(CountsOfOldDatabases, are_counted_anew_after_the_migration) {
    auto connection = database.connection();
    auto all = db::embedded_migrations(database.is_postgres());
    auto at =
        std::ranges::find_if(all, [](const db::Migration& m) { return m.name.ends_with("counts_anew"); });
    ASSERT_NE(at, all.end());
    db::migrate(*connection, {0}, {all.begin(), at});
    const auto& context = database.options.context;
    db::write_now(*connection, context, [](db::Write& db) { db.run(test_one_status); });
    db::migrate(*connection, {0}, all);
    EXPECT_EQ(
        db::read_now(*connection, context, [](db::Read& db) { return db.one(test_recounting_jobs); }), 1
    );
}

}  // namespace

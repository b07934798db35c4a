// SPDX-License-Identifier: AGPL-3.0-or-later
// What is counted by the day: once for each act and post, whatever becomes of it, and what was there before.
#include "social/insight/counted_days.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "social/moderation/staff.hpp"

#include <gmock/gmock.h>

#include <thread>

struct TestDayTotals {
    std::int64_t acts = 0, posts = 0;
};
DESCRIBE(TestDayTotals, acts, posts)

const db::Query<TestDayTotals> test_day_totals{
    "test_day_totals",
    R"(SELECT CAST((SELECT COALESCE(sum(acts), 0) FROM act_days) AS BIGINT) AS acts,
              CAST((SELECT COALESCE(sum(posts), 0) FROM server_days) AS BIGINT) AS posts)"
};
const db::Query<std::int64_t> test_uncounted{"test_uncounted", "SELECT count(*) FROM uncounted"};
const db::Query<std::int64_t> test_all_posts{"test_all_posts", "SELECT count(*) FROM statuses"};
const db::Query<std::int64_t> test_past_jobs{
    "test_past_jobs", "SELECT count(*) FROM jobs WHERE kind = 'count_past_days'"
};
// By one account, one on each of ten days in turn; every third answers somebody else.
const db::Command test_past_statuses{
    "test_past_statuses",
    R"(INSERT INTO statuses (id, account_id, conversation_id, visibility, in_reply_to_account_id, created_at, local)
       WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $2)
       SELECT n, $1, 1, 'public', CASE WHEN n % 3 = 0 THEN -5 END, n % 10 * 86400000, TRUE FROM numbers)",
    R"(INSERT INTO statuses (id, account_id, conversation_id, visibility, in_reply_to_account_id, created_at, local)
       SELECT n, $1::bigint, 1, 'public', CASE WHEN n % 3 = 0 THEN -5 END, n % 10 * 86400000, TRUE
       FROM generate_series(1, $2::bigint) n)"
};
// Favourites of the same posts, each a millisecond after the other from the first day on.
const db::Command test_past_favourites{
    "test_past_favourites",
    "INSERT INTO favourites (id, account_id, status_id) SELECT id * 65536, $1, id FROM statuses WHERE id <= "
    "$2"
};
const db::Command test_held_post{
    "test_held_post",
    "INSERT INTO held_posts (id, account_id, status_id, draft, created_at) VALUES (1, 1, $1, '{}', 0)"
};
const db::Command test_let_through{"test_let_through", "DELETE FROM held_posts WHERE status_id = $1"};
const db::Command test_some_user{
    "test_some_user",
    "INSERT INTO users (id, account_id, email, confirmed_at, created_at) VALUES ($1, $1, 'u' || CAST($2 AS "
    "TEXT), 0, 0)"
};
const db::Command test_some_account{
    "test_some_account",
    "INSERT INTO accounts (id, username, created_at) VALUES ($1, 'u' || CAST($2 AS TEXT), 0)"
};
const db::Command test_forget_acts{"test_forget_acts", "DELETE FROM act_days"};
const db::Command test_forget_posts{"test_forget_posts", "DELETE FROM server_days"};

namespace {

using testing::ElementsAre, testing::IsEmpty;

constexpr std::int64_t day_seconds = 86'400;

struct CountedDays : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), alice = w.local("alice"), bob = w.local("bob");

    std::int64_t today() const { return w.now().ms / 1000 / day_seconds; }
    std::int64_t acts(std::int64_t day) {
        std::int64_t out = 0;
        for (const auto& one : w.read([&](db::Read& db) { return insight::acts_by_day(db, day, day + 1); }))
            out += one.value;
        return out;
    }
    std::int64_t acts() { return acts(today()); }
    // "domain: posts", most first.
    std::vector<std::string> servers(std::int64_t first, std::int64_t last) {
        std::vector<std::string> out;
        for (const auto& one :
             w.read([&](db::Read& db) { return insight::servers_of_days(db, first, last + 1, 100); }))
            out.push_back(one.key + ": " + std::to_string(one.value));
        return out;
    }
    std::vector<std::string> servers() { return servers(today(), today()); }
    TestDayTotals totals() {
        return w.read([](db::Read& db) { return db.one(test_day_totals); });
    }
    void forget_counts() {
        w.write([](db::Write& db) { db.run(test_forget_acts), db.run(test_forget_posts); });
    }
};
ON_EACH_DATABASE(CountedDays);

TEST_P(CountedDays, counts_each_act_once_and_for_good) {
    auto status = bob.status("hello");
    EXPECT_EQ(acts(), 0);
    alice.favourites(status), alice.favourites(status);
    EXPECT_EQ(acts(), 1);
    EXPECT_EQ(alice.post("/api/v1/statuses/" + status + "/unfavourite").status, 200);
    EXPECT_EQ(acts(), 1);
    alice.reblogs(status), alice.reblogs(status);
    EXPECT_EQ(acts(), 2);
    auto answer = alice.answers(status, "hi");
    EXPECT_EQ(acts(), 3);
    bob.answers(status, "to myself");
    alice.status("to nobody");
    EXPECT_EQ(acts(), 3);
    EXPECT_EQ(alice.del("/api/v1/statuses/" + answer).status, 200);
    EXPECT_EQ(acts(), 3);
    alice.follows(bob), alice.follows(bob);
    EXPECT_EQ(acts(), 4);
}

TEST_P(CountedDays, counts_a_request_to_follow_when_it_is_made) {
    EXPECT_EQ(bob.patch("/api/v1/accounts/update_credentials", {{"locked", "true"}}).status, 200);
    EXPECT_EQ(alice.post("/api/v1/accounts/" + bob.id + "/follow")["requested"], "true");
    EXPECT_EQ(acts(), 1);
    w.advance(day_seconds);
    EXPECT_EQ(bob.post("/api/v1/follow_requests/" + alice.id + "/authorize")["followed_by"], "true");
    EXPECT_EQ(acts(), 0) << "it was done the day before";
    EXPECT_EQ(acts(today() - 1), 1);
}

TEST_P(CountedDays, counts_a_vote_for_several_choices_once) {
    auto poll = bob.post(
        "/api/v1/statuses",
        {{"status", "which?"},
         {"poll[options][]", "a"},
         {"poll[options][]", "b"},
         {"poll[multiple]", "true"},
         {"poll[expires_in]", "3600"}}
    );
    auto voted =
        alice.post("/api/v1/polls/" + poll["poll.id"] + "/votes", {{"choices[]", "0"}, {"choices[]", "1"}});
    EXPECT_EQ(voted.status, 200) << voted.body;
    EXPECT_EQ(acts(), 1);
}

TEST_P(CountedDays, counts_no_acts_of_others) {
    auto status = remote::status(bob.status("hello"));
    auto carol = remote::somebody(w, "carol");
    auto answer = remote::note(w, carol, "1");
    answer.in_reply_to = uri_of(w, std::to_string(status.value));
    EXPECT_NE(remote::stored(w, answer), "");
    w.write([&](db::Write& db) {
        statuses::favourite(db, carol, status, "https://far.example/likes/1");
        relationships::follow(db, carol, remote::number(bob), {}, "https://far.example/follows/1");
        statuses::reblog_remote(db, {"https://far.example/boosts/1", carol, status});
    });
    EXPECT_EQ(acts(), 0);
    EXPECT_THAT(servers(), ElementsAre("far.example: 2", ": 1"));
}

TEST_P(CountedDays, counts_posts_of_each_server_on_the_day_they_are_from) {
    auto carol = remote::somebody(w, "carol"), dora = remote::somebody(w, "dora", "near.example");
    auto own = alice.status("hello");
    bob.reblogs(own);
    bob.status("direct", {{"visibility", "direct"}});
    remote::stored(w, remote::note(w, carol, "1"));
    auto old = remote::note(w, dora, "2");
    old.uri = "https://near.example/2", old.url = old.uri;
    old.published = w.now().plus_seconds(-3 * day_seconds);
    old.delivered = false;
    auto once = remote::stored(w, old);
    EXPECT_NE(once, "");
    EXPECT_EQ(remote::stored(w, old), once);
    EXPECT_THAT(servers(), ElementsAre(": 3", "far.example: 1"));
    EXPECT_THAT(servers(today() - 3, today() - 3), ElementsAre("near.example: 1"));
    EXPECT_THAT(servers(today() - 3, today()), ElementsAre(": 3", "far.example: 1", "near.example: 1"));
    EXPECT_THAT(servers(today() - 2, today() - 1), IsEmpty());

    EXPECT_EQ(alice.del("/api/v1/statuses/" + own).status, 200);
    w.run_jobs();
    w.write([&](db::Write& db) { statuses::remove_remote(db, carol, "https://far.example/notes/1"); });
    EXPECT_THAT(servers(), ElementsAre(": 3", "far.example: 1"));
}

TEST_P(CountedDays, counts_what_was_there_before_across_the_chunks) {
    constexpr std::int64_t many = 1201;
    w.write([&](db::Write& db) {
        db.run(test_past_statuses, remote::number(bob), many);
        db.run(test_past_favourites, remote::number(alice), many);
    });
    alice.follows(bob);
    EXPECT_EQ(bob.patch("/api/v1/accounts/update_credentials", {{"locked", "true"}}).status, 200);
    EXPECT_EQ(owner.post("/api/v1/accounts/" + bob.id + "/follow")["requested"], "true");
    alice.answers(bob.status("hello"), "hi");
    w.run_jobs();
    forget_counts();
    w.write([](db::Write& db) { insight::begin_counting_past_days(db); });
    EXPECT_GT(w.run_jobs(), 8);
    EXPECT_EQ(acts(), 3) << "a follow, a request, an answer";
    EXPECT_EQ(acts(0), 120 / 3 + many) << "answers of a tenth of the days, and all favourites";
    EXPECT_THAT(servers(0, 0), ElementsAre(": 120"));
    EXPECT_THAT(servers(1, 1), ElementsAre(": 121"));
    EXPECT_THAT(servers(), ElementsAre(": 2"));
    EXPECT_EQ(totals().posts, many + 2);
    EXPECT_EQ(totals().acts, many / 3 + many + 3);
    EXPECT_EQ(w.read([](db::Read& db) { return db.one(test_uncounted); }), 0);
    EXPECT_EQ(w.read([](db::Read& db) { return db.one(test_past_jobs); }), 0);
}

TEST_P(CountedDays, counts_posts_with_old_numbers_that_come_meanwhile_once) {
    auto carol = remote::somebody(w, "carol");
    auto note = [&](const std::string& name, std::int64_t days_ago) {
        auto out = remote::note(w, carol, name);
        out.published = w.now().plus_seconds(-days_ago * day_seconds);
        out.delivered = false;
        EXPECT_NE(remote::stored(w, out), "");
    };
    w.write([&](db::Write& db) { db.run(test_past_statuses, remote::number(bob), 700); });
    note("newest", 10);
    w.run_jobs();
    forget_counts();
    w.write([](db::Write& db) { insight::begin_counting_past_days(db); });
    auto chunk = [&] { w.write([](db::Write& db) { insight::count_past_days(db, {}); }); };
    note("not counted yet", 20);
    alice.answers(bob.status("today"), "an act");
    EXPECT_THAT(servers(today() - 20, today()), ElementsAre(": 2"));
    chunk();
    note("older than what is counted", 18'000);
    note("of what is counted", 15);
    w.run_jobs();
    auto left = w.read([](db::Read& db) { return db.one(test_all_posts); });
    EXPECT_EQ(totals().posts, left);
    EXPECT_EQ(totals().acts, 700 / 3 + 1);
}

TEST_P(CountedDays, counts_what_is_held_when_it_is_let_through) {
    auto held = remote::status(alice.status("hello"));
    auto counted_past = [&] {
        forget_counts();
        w.write([&](db::Write& db) { insight::begin_counting_past_days(db); });
        w.run_jobs();
    };
    w.run_jobs();
    w.write([&](db::Write& db) { db.run(test_held_post, held); });
    counted_past();
    EXPECT_THAT(servers(), IsEmpty());
    w.write([&](db::Write& db) {
        db.run(test_let_through, held);
        insight::count_published(db, {held, remote::number(alice)});
    });
    EXPECT_THAT(servers(), ElementsAre(": 1"));
}

struct CountsOfDaysBefore : support::OnEachDatabase {
    void begin_with_posts(std::int64_t many) {
        auto connection = database.connection();
        auto all = db::embedded_migrations(database.is_postgres());
        auto at = std::ranges::find_if(all, [](const db::Migration& m) {
            return m.name.ends_with("counted_days");
        });
        ASSERT_NE(at, all.end());
        db::migrate(*connection, {0}, {all.begin(), at});
        db::write_now(*connection, database.options.context, [&](db::Write& db) {
            for (std::int64_t n = 1; n <= 40; ++n)
                db.run(test_some_account, n, n), db.run(test_some_user, n, n);
            if (many > 0) db.run(test_past_statuses, 1, many);
        });
        db::migrate(*connection, {0}, all);
    }
    std::int64_t ask(const db::Query<std::int64_t>& sql) {
        auto connection = database.connection(db::Mode::read);
        return db::read_now(*connection, database.options.context, [&](db::Read& db) { return db.one(sql); });
    }
};
ON_EACH_DATABASE(CountsOfDaysBefore);

TEST_P(CountsOfDaysBefore, are_begun_by_the_migration) {
    begin_with_posts(1);
    EXPECT_EQ(ask(test_uncounted), 2) << "posts, and the tags of them";
    EXPECT_EQ(ask(test_past_jobs), 2) << "each migration begins one";
}

TEST_P(CountsOfDaysBefore, are_none_on_a_new_site) {
    begin_with_posts(0);
    EXPECT_EQ(ask(test_uncounted), 0);
    EXPECT_EQ(ask(test_past_jobs), 0);
}

// On PostgreSQL two nodes, on SQLite threads of one, that count what happens and what was there before at the same time.
TEST_P(CountsOfDaysBefore, are_neither_lost_nor_doubled_where_several_count_at_once) {
    constexpr std::int64_t many = 1700, threads_each = 3, rounds = 40;
    begin_with_posts(many);
    const std::size_t nodes = database.is_postgres() ? 2 : 1;
    std::vector<std::unique_ptr<db::RunningEngine>> engines;
    for (std::size_t n = 0; n < nodes; ++n) engines.push_back(db::open_engine(database.options));
    for (auto& one : engines) one->start();
    {
        std::vector<std::jthread> threads;
        for (std::int64_t t = 0; t < static_cast<std::int64_t>(nodes) * threads_each; ++t)
            threads.emplace_back([&, t] {
                auto& engine = *engines[static_cast<std::size_t>(t) % nodes];
                for (std::int64_t round = 0; round < rounds; ++round) {
                    db::write_and_wait(engine, "test", [&](db::Write& db) {
                        db.beside_others();
                        for (auto who : {1 + (t * rounds + round) % 40, 1 + round % 7})
                            insight::count_favourite(db, {{}, {who}, {}, {}});
                    });
                    if (round % 10 == 0)
                        db::write_and_wait(engine, "test", [](db::Write& db) {
                            insight::count_past_days(db, {});
                        });
                }
            });
    }
    engines.clear();
    EXPECT_EQ(ask(test_uncounted), 0);
    auto connection = database.connection(db::Mode::read);
    auto totals = db::read_now(*connection, database.options.context, [](db::Read& db) {
        return db.one(test_day_totals);
    });
    EXPECT_EQ(totals.posts, many);
    EXPECT_EQ(totals.acts, many / 3 + static_cast<std::int64_t>(nodes) * threads_each * rounds * 2);
}

}  // namespace

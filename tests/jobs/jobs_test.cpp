// SPDX-License-Identifier: AGPL-3.0-or-later
// Job rows: written with the change that wants them, leased, run once, tried again.
#include "db/engine.hpp"
#include "jobs/stage.hpp"
#include "jobs/steps.hpp"
#include "support/counting.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <future>
#include <mutex>
#include <thread>

namespace {

using namespace job_stage;
using testing::ElementsAre;

struct Happened {
    std::string text;
    std::int64_t number = 0;
};
DESCRIBE(Happened, text, number)

struct Question {
    std::string text;
    using Answer = std::string;
};
DESCRIBE(Question, text)

void note_now(db::Write& db, const Happened& e) { note(db, "now " + e.text); }
void note_later(db::Write& db, const Happened& e) {
    note(db, "later " + e.text + std::to_string(e.number));
    if (e.text == "fail") throw std::runtime_error("not today");
}
std::vector<std::string>& heard() {
    static std::vector<std::string> all;
    return all;
}
std::mutex& hearing() {
    static std::mutex one;
    return one;
}
void ask_later(const base::Ask& ask, db::Read&, const Happened& e) {
    auto answer = ask(Question{e.text}) + ask(Question{"again"});
    std::lock_guard lock(hearing());
    heard().push_back(answer);
}

struct Wondered {
    std::string text;
};
DESCRIBE(Wondered, text)
jobs::Change ask_and_note(const base::Ask& ask, db::Read&, const Wondered& e) {
    auto answer = ask(Question{e.text});
    return [answer](db::Write& db) { note(db, "answered " + answer); };
}

struct Looked {
    std::string text;
};
DESCRIBE(Looked, text)
std::string lease_left(db::Read& db) {
    return std::to_string((db.all(test_jobs_rows)[0].leased_until - db.now().ms) / 1000) + " s";
}
jobs::Change note_short_lease(db::Read& db, const Looked&) {
    return [left = lease_left(db)](db::Write& write) { note(write, "asks nobody: " + left); };
}
jobs::Change note_lease(const base::Ask&, db::Read& db, const Looked&) {
    return [left = lease_left(db)](db::Write& write) { note(write, "asks: " + left); };
}

// 2: the commit waits for the disk; 1: it does not.
const db::Query<std::int64_t> test_jobs_synchronous{
    "test_jobs_synchronous", "SELECT synchronous FROM pragma_synchronous()", "SELECT 2"
};
struct Committed {
    std::string text;
};
DESCRIBE(Committed, text)
void note_commit(db::Write& db, const Committed&) {
    note(db, "asks nobody: " + std::to_string(db.one(test_jobs_synchronous)));
}
jobs::Change note_commit_of_answer(const base::Ask&, db::Read&, const Committed&) {
    return [](db::Write& db) { note(db, "asks: " + std::to_string(db.one(test_jobs_synchronous))); };
}

struct Jobs : Stage {
    Jobs()
        : Stage(jobs::joined(
              {jobs::on<
                   Happened>(jobs::in_transaction<note_now>, jobs::deferred<note_later>, jobs::async<ask_later>),
               jobs::on<Wondered>(jobs::async<ask_and_note>),
               jobs::on<Looked>(jobs::computed<note_short_lease>, jobs::async<note_lease>),
               jobs::on<Committed>(jobs::deferred<note_commit>, jobs::async<note_commit_of_answer>)}
          )) {
        heard().clear();
    }
    void emit(const std::string& text) {
        write([&](db::Write& db) { db.emit(Happened{text, 3}); });
    }
};
ON_EACH_DATABASE(Jobs);

TEST_P(Jobs, are_written_by_the_change_that_wants_them) {
    emit("a");
    EXPECT_THAT(notes(), ElementsAre("now a"));
    auto found = rows();
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].run_at, database.clock_ms);
    EXPECT_EQ(found[0].attempts, 0);
}

TEST_P(Jobs, come_in_the_order_of_the_table) {
    emit("a");
    EXPECT_EQ(rows()[0].kind, "note_later");
    EXPECT_EQ(rows()[1].kind, "ask_later");
}

TEST_P(Jobs, are_undone_with_the_change) {
    EXPECT_THROW(
        write([](db::Write& db) {
            db.emit(Happened{"a"});
            throw base::Invalid("no");
        }),
        base::Invalid
    );
    EXPECT_THAT(notes(), ElementsAre());
    EXPECT_TRUE(rows().empty());
}

TEST_P(Jobs, wake_the_runner_after_the_commit_once_per_event) {
    auto news =
        db::run_change(*connection, database.options.context, [](db::Write& db) { db.emit(Happened{"a"}); });
    ASSERT_EQ(news.size(), 1u);
    EXPECT_EQ(news[0].channel, jobs::wake_channel);
}

TEST_P(Jobs, are_leased_to_one_and_come_back_when_the_lease_ends) {
    emit("a");
    EXPECT_EQ(lease().size(), 2u);
    EXPECT_TRUE(lease().empty());
    database.clock_ms += jobs::lease_seconds * 1000;
    EXPECT_TRUE(lease().empty());
    database.clock_ms += 1;
    EXPECT_EQ(lease().size(), 2u);
}

TEST_P(Jobs, are_leased_a_few_at_a_time_oldest_first) {
    for (int i = 0; i < 5; ++i) emit(std::to_string(i));
    auto first = write([](db::Write& db) { return jobs::lease_due(db, 4); });
    ASSERT_EQ(first.size(), 4u);
    for (const auto& job : first) EXPECT_THAT(job.payload, testing::ContainsRegex("\"text\":\"[01]\""));
    EXPECT_EQ(lease().size(), 6u);
}

TEST_P(Jobs, run_twice_have_the_effect_of_once) {
    emit("a");
    auto job = leased("note_later");
    for (int i = 0; i < 2; ++i) write([&](db::Write& db) { jobs::finish(db, reactions, job); });
    EXPECT_THAT(notes(), ElementsAre("now a", "later a3"));
    EXPECT_EQ(rows().size(), 1u);
}

TEST_P(Jobs, that_fail_leave_nothing_but_another_try) {
    emit("fail");
    auto job = leased("note_later");
    EXPECT_THROW(write([&](db::Write& db) { jobs::finish(db, reactions, job); }), std::runtime_error);
    EXPECT_THAT(notes(), ElementsAre("now fail"));
    write([&](db::Write& db) { jobs::retry_later(db, job, "not today"); });
    auto row = rows()[0];
    EXPECT_EQ(row.kind, "note_later");
    EXPECT_EQ(row.attempts, 1);
    EXPECT_EQ(row.leased_until, 0);
    EXPECT_EQ(row.error, "not today");
    EXPECT_GE(row.run_at, database.clock_ms + 1000);
    EXPECT_LE(row.run_at, database.clock_ms + 1250);
    EXPECT_TRUE(lease().empty());
    database.clock_ms += 2000;
    EXPECT_EQ(leased("note_later").attempts, 1);
}

TEST_P(Jobs, are_given_up_but_kept_after_the_last_try) {
    emit("fail");
    auto job = leased("note_later");
    job.attempts = static_cast<std::int64_t>(std::size(jobs::retry_seconds));
    write([&](db::Write& db) { jobs::retry_later(db, job, "never"); });
    database.clock_ms += 100LL * 365 * 86'400'000;
    EXPECT_EQ(lease().size(), 1u);  // the one that asks
    EXPECT_EQ(rows().size(), 2u);
}

TEST_P(Jobs, of_a_kind_nobody_knows_any_more_are_dropped) {
    emit("a");
    auto job = leased("note_later");
    job.kind = "from an older release";
    write([&](db::Write& db) { jobs::finish(db, reactions, job); });
    EXPECT_EQ(rows().size(), 1u);
}

TEST(RetryPolicy, waits_longer_each_time_and_gives_up) {
    std::int64_t before = 0, total = 0;
    for (std::int64_t n = 1; n <= 11; ++n) {
        auto delay = jobs::retry_after(n, 0);
        ASSERT_TRUE(delay) << n;
        EXPECT_GE(*delay, before);
        before = *delay;
        total += *delay;
    }
    EXPECT_GT(total, 3 * 86'400);
    EXPECT_FALSE(jobs::retry_after(12, 0));
    EXPECT_FALSE(jobs::retry_after(0, 0));
    EXPECT_FALSE(jobs::retry_after(-1, 0.5));
    EXPECT_EQ(jobs::retry_after(3, 0.999), 74);
}

// The runner itself, with threads and a real engine.
struct Running : Jobs {
    std::atomic<int> ticks = 0;

    // Of two jobs, the one of this kind, which asks, or else the other, which asks nobody.
    void run_one_of_two(std::string_view asking, bool asks) {
        write([&](db::Write& db) {
            for (const auto& job : jobs::lease_due(db, 2))
                if ((job.kind == asking) == asks) jobs::reschedule(db, job, 0);
                else jobs::remove(db, job.id);
        });
        auto engine = db::open_engine(database.options);
        jobs::Runner runner(*engine, reactions, services, {});
        engine->start();
        runner.start(1, asks ? 1 : 0);  // what is leased by those that ask may be committed with the other
        EXPECT_TRUE(eventually([&] { return rows().empty(); }));
        runner.stop();
        engine->stop();
    }
};
ON_EACH_DATABASE(Running);

TEST_P(Running, runs_what_is_there_and_what_comes) {
    services.answers<Question>([](const Question& q) { return "<" + q.text + ">"; });
    emit("before");
    jobs::Runner* woken = nullptr;
    auto options = database.options;
    options.announced = [&](std::vector<db::Announcement>) {
        if (woken) woken->wake();
    };
    auto engine = db::open_engine(options);
    jobs::Runner runner(*engine, reactions, services, {});
    woken = &runner;
    engine->start();
    runner.start(2);
    std::promise<void> written;
    engine->write(
        "test",
        [](db::Write& db) { db.emit(Happened{"fail"}); },
        [&](std::exception_ptr) { written.set_value(); }
    );
    written.get_future().get();
    EXPECT_TRUE(eventually([&] { return rows().size() == 1 && rows()[0].attempts > 0; }));
    runner.stop();
    engine->stop();
    EXPECT_EQ(runner.failures(), 1);
    EXPECT_THAT(notes(), testing::UnorderedElementsAre("now before", "later before3", "now fail"));
    EXPECT_THAT(heard(), testing::UnorderedElementsAre("<before><again>", "<fail><again>"));
}

TEST_P(Jobs, that_asked_change_something_once_and_are_gone) {
    write([](db::Write& db) { db.emit(Wondered{"why"}); });
    auto job = leased("ask_and_note");
    jobs::Change change = [](db::Write& db) { note(db, "changed"); };
    for (int i = 0; i < 2; ++i) write([&](db::Write& db) { jobs::finish(db, change, job); });
    EXPECT_THAT(notes(), ElementsAre("changed"));
    EXPECT_TRUE(rows().empty());
}

TEST_P(Running, keeps_what_was_found_outside) {
    services.answers<Question>([](const Question& q) { return "<" + q.text + ">"; });
    write([](db::Write& db) { db.emit(Wondered{"why"}); });
    auto engine = db::open_engine(database.options);
    jobs::Runner runner(*engine, reactions, services, {});
    engine->start();
    runner.start(1, 1);
    EXPECT_TRUE(eventually([&] { return rows().empty(); }));
    runner.stop();
    engine->stop();
    EXPECT_THAT(notes(), ElementsAre("answered <why>"));
}

TEST_P(Running, takes_what_asks_nobody_for_a_shorter_time_as_a_killed_node_holds_it_up_so_long) {
    for (bool asks : {false, true}) {
        write([](db::Write& db) { db.emit(Looked{}); });
        run_one_of_two("note_lease", asks);
    }
    EXPECT_THAT(notes(), ElementsAre("asks nobody: 15 s", "asks: 120 s"));
}

TEST_P(Running, waits_for_the_disk_only_with_what_others_were_asked) {
    for (bool asks : {false, true}) {
        write([](db::Write& db) { db.emit(Committed{}); });
        run_one_of_two("note_commit_of_answer", asks);
    }
    EXPECT_THAT(
        notes(), ElementsAre(database.is_postgres() ? "asks nobody: 2" : "asks nobody: 1", "asks: 2")
    );
}

TEST_P(Running, does_not_let_a_slow_server_hold_up_other_jobs) {
    std::promise<void> end;
    auto ended = end.get_future().share();
    services.answers<Question>([ended](const Question&) {
        ended.wait();
        return std::string();
    });
    for (int i = 0; i < 8; ++i) write([](db::Write& db) { db.emit(Wondered{"why"}); });
    emit("a");
    auto engine = db::open_engine(database.options);
    jobs::Runner runner(*engine, reactions, services, {});
    engine->start();
    runner.start(1, 2);
    EXPECT_TRUE(eventually([&] {
        auto all = notes();
        return std::ranges::find(all, "later a3") != all.end();
    }));
    end.set_value();
    runner.stop();
    engine->stop();
}

TEST_P(Running, puts_off_what_has_to_wait_and_counts_no_try) {
    services.answers<Question>([](const Question&) -> std::string { throw jobs::Reschedule(20); });
    write([](db::Write& db) { db.emit(Wondered{"why"}); });
    auto engine = db::open_engine(database.options);
    jobs::Runner runner(*engine, reactions, services, {});
    engine->start();
    runner.start(1, 1);
    EXPECT_TRUE(eventually([&] { return rows()[0].run_at == database.clock_ms + 20'000; }));
    runner.stop();
    engine->stop();
    EXPECT_EQ(rows()[0].attempts, 0);
    EXPECT_EQ(rows()[0].leased_until, 0);
    EXPECT_EQ(rows()[0].error, std::nullopt);
    EXPECT_EQ(runner.failures(), 0);
    EXPECT_TRUE(notes().empty());
}

std::atomic<int> looks = 0;
jobs::Change look_and_note(db::Read& db) {
    return [seen = db.all(test_jobs_notes).size()](db::Write& write) {
        note(write, "seen " + std::to_string(seen));
    };
}
jobs::Change look_in_vain(db::Read&) {
    ++looks;
    return {};
}

TEST_P(Running, does_work_by_the_clock_on_a_reader_and_writes_only_what_comes_of_it) {
    auto engine = db::open_engine(database.options);
    support::Counting counting([&]() -> db::Engine& { return *engine; });
    jobs::Runner runner(
        counting, reactions, services, {{"looks_in_vain", 3600, look_in_vain}, {"looks", 3600, look_and_note}}
    );
    engine->start();
    looks = 0;
    runner.start();
    EXPECT_TRUE(eventually([&] { return !notes().empty(); }));
    runner.stop();
    engine->stop();
    EXPECT_THAT(notes(), ElementsAre("seen 0"));
    EXPECT_EQ(looks, 1);
    EXPECT_EQ(counting.changes("looks"), 1);
    EXPECT_EQ(counting.changes("looks_in_vain"), 0);
}

TEST_P(Running, asks_the_database_hardly_ever_while_nothing_comes) {
    database.options.context.clock = [] {
        auto now = std::chrono::system_clock::now().time_since_epoch();
        return base::Time{std::chrono::duration_cast<std::chrono::milliseconds>(now).count()};
    };
    services.answers<Question>([](const Question& q) { return q.text; });
    jobs::Runner* woken = nullptr;
    auto options = database.options;
    options.announced = [&](const std::vector<db::Announcement>&) { woken->wake(); };
    auto engine = db::open_engine(options);
    support::Counting counting([&]() -> db::Engine& { return *engine; });
    jobs::Runner runner(counting, reactions, services, {});
    woken = &runner;
    engine->start();
    runner.start();
    auto emit_there = [&](const std::string& text) {
        db::write_and_wait(*engine, "test", [&](db::Write& db) { db.emit(Happened{text}); });
    };
    emit_there("a");
    EXPECT_TRUE(eventually([&] { return rows().empty(); }));
    const auto before = counting.changes("lease_jobs");
    const auto begun = std::chrono::steady_clock::now();
    // Six threads that each asked once a second would have asked twelve times.
    std::this_thread::sleep_for(std::chrono::milliseconds(2200));
    const auto asked = counting.changes("lease_jobs") - before;
    EXPECT_LE(asked, 3 * ((std::chrono::steady_clock::now() - begun) / std::chrono::seconds(2)));
    // What failed is tried again when its time has come, not when somebody looks by chance.
    emit_there("fail");
    auto tried_again = [&] { return rows().size() == 1 && rows()[0].attempts == 2; };
    for (int i = 0; i < 3000 && !tried_again(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(tried_again());
    runner.stop();
    engine->stop();
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// Jobs of several steps: each is a change of its own, and the row says what is left.
#include "jobs/steps.hpp"

#include "db/engine.hpp"
#include "jobs/stage.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace {

using namespace job_stage;
using testing::ElementsAre;

// Counts down, three numbers a chunk and one a step.
struct Counting {
    std::int64_t from = 0;
    std::string end;
};
DESCRIBE(Counting, from, end)
jobs::Change count_down(db::Read& db, const Counting& e) {
    if (e.from == 0) return {};
    const auto notes = std::to_string(db.all(test_jobs_notes).size());
    using Step = std::function<std::optional<Counting>(db::Write&)>;
    return jobs::Stepwise(Step(
        [left = e, notes, rest = std::min<std::int64_t>(3, e.from)](db::Write& write
        ) mutable -> std::optional<Counting> {
            note(write, std::to_string(left.from--) + " of the chunk after " + notes);
            if (left.from == 0 && left.end == "fail") throw std::runtime_error("not today");
            if (--rest > 0) return left;
            if (left.from > 0) write.emit(left);
            return std::nullopt;
        }
    ));
}

// The same, and the next chunk is looked for before this one is counted.
struct CountingAhead {
    std::int64_t from = 0, leaves_out = 0, pause_ms = 0;
};
DESCRIBE(CountingAhead, from, leaves_out, pause_ms)
std::atomic<int> looks;
jobs::Change count_ahead(db::Read&, const CountingAhead& e) {
    ++looks;
    if (e.from == e.leaves_out) return {};
    const auto count = std::min<std::int64_t>(3, e.from);
    using Step = std::function<std::optional<CountingAhead>(db::Write&)>;
    const Step step = [left = e, rest = count](db::Write& write) mutable -> std::optional<CountingAhead> {
        std::this_thread::sleep_for(std::chrono::milliseconds(left.pause_ms));
        note(write, std::to_string(left.from--));
        return --rest > 0 ? std::optional(left) : std::nullopt;
    };
    auto next = e;
    next.from -= count;
    return jobs::Stepwise(step, next.from > 0 ? std::optional(next) : std::nullopt);
}

// Fails while the next chunk is still looked for.
struct FailingAhead {
    bool next = false;
};
DESCRIBE(FailingAhead, next)
std::atomic<int> looks_ended;
jobs::Change fail_ahead(db::Read&, const FailingAhead& e) {
    if (e.next) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        ++looks_ended;
        return {};
    }
    using Step = std::function<std::optional<FailingAhead>(db::Write&)>;
    const Step step = [](db::Write&) -> std::optional<FailingAhead> {
        throw std::runtime_error("not today");
    };
    return jobs::Stepwise(step, std::optional(FailingAhead{true}));
}

struct Steps : Stage {
    Steps()
        : Stage(jobs::joined(
              {jobs::on<Counting>(jobs::computed<count_down>),
               jobs::on<CountingAhead>(jobs::computed<count_ahead>),
               jobs::on<FailingAhead>(jobs::computed<fail_ahead>)}
          )) {}
};
ON_EACH_DATABASE(Steps);

TEST_P(Steps, keep_their_row_and_say_what_is_left) {
    write([](db::Write& db) { db.emit(Counting{5, "well"}); });
    auto job = leased("count_down");
    const auto change = db::read_now(*connection, database.options.context, [&](db::Read& db) {
        return count_down(db, base::json::read<Counting>(job.payload));
    });
    ASSERT_NE(change.target<jobs::Stepwise>(), nullptr);
    auto steps = *change.target<jobs::Stepwise>();
    const auto before = job;
    EXPECT_TRUE(write([&](db::Write& db) { return jobs::go_on(db, steps, job); }));
    EXPECT_EQ(base::json::read<Counting>(job.payload).from, 4);
    EXPECT_GT(rows()[0].leased_until, database.clock_ms);
    EXPECT_TRUE(lease().empty());
    // Who was killed before begins with what is left; who was held up since before the step does nothing any more.
    database.clock_ms += 1000 * (jobs::short_lease_seconds + 1);
    auto again = leased("count_down");
    EXPECT_EQ(again.payload, job.payload);
    auto old = before;
    EXPECT_FALSE(write([&](db::Write& db) { return jobs::go_on(db, steps, old); }));
    EXPECT_THAT(notes(), ElementsAre("5 of the chunk after 0"));
    EXPECT_TRUE(write([&](db::Write& db) { return jobs::go_on(db, steps, job); }));
    EXPECT_FALSE(write([&](db::Write& db) { return jobs::go_on(db, steps, job); }));
    EXPECT_FALSE(write([&](db::Write& db) { return jobs::go_on(db, steps, job); }));
    EXPECT_THAT(notes(), testing::SizeIs(3));
    ASSERT_EQ(rows().size(), 1u);
    EXPECT_EQ(rows()[0].leased_until, 0);  // the next chunk
    // As a change among others it takes one step.
    write([&](db::Write& db) { change(db); });
    ASSERT_EQ(rows().size(), 2u);
    EXPECT_EQ(base::json::read<Counting>(lease()[1].payload).from, 4);
}

TEST_P(Steps, go_on_in_their_row_with_what_comes_next) {
    write([](db::Write& db) { db.emit(CountingAhead{5}); });
    auto job = leased("count_ahead");
    const auto change = db::read_now(*connection, database.options.context, [&](db::Read& db) {
        return count_ahead(db, base::json::read<CountingAhead>(job.payload));
    });
    auto steps = *change.target<jobs::Stepwise>();
    EXPECT_EQ(base::json::read<CountingAhead>(*steps.next()).from, 2);
    auto go_on = [&] { return write([&](db::Write& db) { return jobs::go_on(db, steps, job); }); };
    EXPECT_TRUE(go_on());
    EXPECT_TRUE(go_on());
    EXPECT_FALSE(steps.over());
    EXPECT_TRUE(go_on()) << "it goes on with what comes next";
    EXPECT_TRUE(steps.over());
    ASSERT_EQ(rows().size(), 1u);
    EXPECT_EQ(base::json::read<CountingAhead>(job.payload).from, 2);
    // As a change among others it takes one step, and what comes next is a job of its own after the last.
    write([&](db::Write& db) { (*change.target<jobs::Stepwise>())(db); });
    EXPECT_EQ(rows().size(), 2u);
    EXPECT_THAT(notes(), ElementsAre("5", "4", "3", "5"));
}

TEST_P(Steps, go_through_all_chunks) {
    write([](db::Write& db) { db.emit(Counting{5, "well"}); });
    write([](db::Write& db) { db.emit(Counting{0, "nothing"}); });
    auto engine = db::open_engine(database.options);
    jobs::Runner runner(*engine, reactions, services, {});
    engine->start();
    runner.start(2);
    EXPECT_TRUE(eventually([&] { return rows().empty(); }));
    runner.stop();
    engine->stop();
    EXPECT_THAT(
        notes(),
        ElementsAre(
            "5 of the chunk after 0",
            "4 of the chunk after 0",
            "3 of the chunk after 0",
            "2 of the chunk after 3",
            "1 of the chunk after 3"
        )
    );
}

TEST_P(Steps, go_on_with_what_comes_next_until_there_is_nothing) {
    write([](db::Write& db) { db.emit(CountingAhead{8}); });
    auto engine = db::open_engine(database.options);
    jobs::Runner runner(*engine, reactions, services, {});
    engine->start();
    runner.start(1, 1);
    EXPECT_TRUE(eventually([&] { return rows().empty(); }));
    EXPECT_THAT(notes(), ElementsAre("8", "7", "6", "5", "4", "3", "2", "1"));
    write([](db::Write& db) { db.emit(CountingAhead{6, 3}); });
    runner.wake();
    EXPECT_TRUE(eventually([&] { return rows().empty(); })) << "of three nothing is left to do";
    runner.stop();
    engine->stop();
    EXPECT_THAT(notes(), testing::SizeIs(11));
    EXPECT_EQ(runner.failures(), 0);
}

TEST_P(Steps, of_many_chunks_let_others_go_first_after_a_while) {
    looks = 0;
    write([](db::Write& db) {
        db.emit(CountingAhead{30, 0, 15});
        db.emit(Counting{1});
    });
    auto engine = db::open_engine(database.options);
    jobs::Runner runner(*engine, reactions, services, {});
    engine->start();
    runner.start(1);
    EXPECT_TRUE(eventually([&] { return rows().empty(); }));
    runner.stop();
    engine->stop();
    EXPECT_THAT(notes(), testing::SizeIs(31));
    EXPECT_EQ(notes().back(), "1") << "the other one was done before";
    EXPECT_EQ(
        looks, 10
    ) << "each chunk was looked for once, also what was found before the others went first";
    EXPECT_EQ(runner.failures(), 0);
}

TEST_P(Steps, that_fail_wait_for_who_looks_ahead) {
    looks_ended = 0;
    write([](db::Write& db) { db.emit(FailingAhead{}); });
    auto engine = db::open_engine(database.options);
    jobs::Runner runner(*engine, reactions, services, {});
    engine->start();
    runner.start(1);
    EXPECT_TRUE(eventually([&] { return runner.failures() > 0; }));
    EXPECT_EQ(looks_ended, 1);
    runner.stop();
    engine->stop();
}

TEST_P(Steps, before_one_that_fails_are_kept) {
    write([](db::Write& db) { db.emit(Counting{2, "fail"}); });
    auto engine = db::open_engine(database.options);
    jobs::Runner runner(*engine, reactions, services, {});
    engine->start();
    runner.start(1);
    EXPECT_TRUE(eventually([&] { return rows()[0].attempts == 1; }));
    runner.stop();
    engine->stop();
    EXPECT_THAT(notes(), ElementsAre("2 of the chunk after 0"));
    EXPECT_EQ(rows()[0].error, "not today");
    database.clock_ms += 2000;
    EXPECT_EQ(base::json::read<Counting>(leased("count_down").payload).from, 1);
}

TEST_P(Steps, of_another_node_are_not_ended_by_who_was_held_up) {
    write([](db::Write& db) { db.emit(CountingAhead{5}); });
    auto job = leased("count_ahead");
    const auto before = job;
    const auto change = db::read_now(*connection, database.options.context, [&](db::Read& db) {
        return count_ahead(db, base::json::read<CountingAhead>(job.payload));
    });
    auto steps = *change.target<jobs::Stepwise>();
    write([&](db::Write& db) { jobs::go_on(db, steps, job); });
    const jobs::Change other = [](db::Write& db) { note(db, "changed"); };
    write([&](db::Write& db) { jobs::finish(db, other, before); });
    EXPECT_THAT(notes(), ElementsAre("5"));
    EXPECT_EQ(rows().size(), 1u);
    write([&](db::Write& db) { jobs::finish(db, other, job); });
    EXPECT_THAT(notes(), ElementsAre("5", "changed"));
    EXPECT_TRUE(rows().empty());
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/deadline.hpp"
#include "engine_fixture.hpp"

#include <algorithm>
#include <thread>

namespace {

using Ids = std::vector<std::int64_t>;
using Words = std::vector<std::string>;

struct Engine : EngineFixture {};
ON_EACH_DATABASE(Engine);

TEST_P(Engine, shows_a_change_to_everybody_once_it_is_done) {
    start();
    auto beside = database.connection(db::Mode::read);
    std::promise<Ids> seen;
    engine->write(
        "test",
        [](db::Write& db) { db.run(numbers::insert, 1, 10); },
        [&](std::exception_ptr error) {
            EXPECT_FALSE(error);
            seen.set_value(db::read_now(*beside, database.options.context, [](db::Read& db) {
                return db.all(numbers::ids);
            }));
        }
    );
    EXPECT_EQ(seen.get_future().get(), Ids{1});
    EXPECT_EQ(ids(), Ids{1});
}

TEST_P(Engine, gives_sessions_the_time_and_the_site) {
    start();
    database.clock_ms = 1234;
    EXPECT_EQ(read([](db::Read& db) { return db.now().ms; }), 1234);
    EXPECT_EQ(read([](db::Read& db) { return db.site().domain; }), "localhost");
}

TEST_P(Engine, keeps_a_reader_in_its_snapshot) {
    start();
    const auto counts = read([&](db::Read& db) {
        Ids seen{db.one(numbers::count)};
        write([](db::Write& other) { other.run(numbers::insert, 1, 10); });
        seen.push_back(db.one(numbers::count));
        return seen;
    });
    EXPECT_EQ(counts, (Ids{0, 0}));
    EXPECT_EQ(ids(), Ids{1});
}

TEST_P(Engine, shows_what_was_committed_before_it_was_asked_however_busy_its_readers_are) {
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    std::atomic<bool> enough = false;
    std::atomic<std::int64_t> last = 0;
    auto keep_busy = [&] {
        while (!enough) {
            auto known = last.load();
            EXPECT_GE(read([](db::Read& db) { return db.one(numbers::of, 1); }), known);
        }
    };
    std::vector<std::thread> busy;
    for (int i = 0; i < 8; ++i) busy.emplace_back(keep_busy);
    const std::shared_ptr<void> together(nullptr, [&](void*) {
        enough = true;
        for (auto& thread : busy) thread.join();
    });
    for (std::int64_t n = 1; n <= 200; ++n) {
        write([n](db::Write& db) { db.run(numbers::set, 1, n); });
        last = n;
        EXPECT_EQ(read([](db::Read& db) { return db.one(numbers::of, 1); }), n);
    }
}

TEST_P(Engine, remembers_what_follows_from_the_database_until_anybody_changes_it) {
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 10); });
    auto made = std::make_shared<std::atomic<int>>(0);
    auto look = [made](db::Read& db) {
        return db.memoized("number 1", [&] { return ++*made, db.one(numbers::of, 1); });
    };
    for (int i = 0; i < 20; ++i) EXPECT_EQ(read(look), 10);
    auto before = made->load();
    EXPECT_LE(before, database.is_postgres() ? 20 : 2);  // one reader, or the other
    for (std::int64_t n = 11; n < 20; ++n) {
        write([n](db::Write& db) { db.run(numbers::set, 1, n); });
        EXPECT_EQ(read(look), n);
    }
    // Whoever writes sees what it writes.
    write([&](db::Write& db) {
        EXPECT_EQ(look(db), 19);
        db.run(numbers::set, 1, 30);
        EXPECT_EQ(look(db), 30);
    });
}

TEST_P(Engine, undoes_a_throwing_change_alone_with_its_announcements) {
    start();
    auto numbered = [](int id, bool fails) {
        return [id, fails](db::Write& db) {
            db.run(numbers::insert, id, 0);
            db.announce({"user:1", "made " + std::to_string(id), ""});
            if (fails) throw base::Forbidden();
        };
    };
    Gate gate;
    auto first = post([&](db::Write&) { gate.pass(); });  // the others wait and become one group
    gate.entered.get_future().wait();
    std::vector<Outcome> outcomes;
    for (int id = 1; id <= 6; ++id) outcomes.push_back(post(numbered(id, id % 3 == 0)));
    gate.opened.set_value();
    first.get();
    for (int id = 1; id <= 6; ++id) {
        auto& outcome = outcomes[static_cast<std::size_t>(id) - 1];
        if (id % 3 == 0) EXPECT_THROW(outcome.get(), base::Forbidden);
        else EXPECT_NO_THROW(outcome.get());
    }
    EXPECT_EQ(ids(), (Ids{1, 2, 4, 5}));
    auto news = heard();
    std::ranges::sort(news);
    EXPECT_EQ(news, (Words{"made 1", "made 2", "made 4", "made 5"}));
    EXPECT_EQ(engine->stats().changes_failed, 2u);
}

TEST_P(Engine, keeps_the_rows_of_others_when_a_change_meets_a_duplicate) {
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    auto twin = post([](db::Write& db) {
        db.run(numbers::insert, 2, 0);
        db.run(numbers::insert, 1, 0);
    });
    auto other = post([](db::Write& db) { db.run(numbers::insert, 3, 0); });
    EXPECT_THROW(twin.get(), db::Duplicate);
    EXPECT_NO_THROW(other.get());
    EXPECT_EQ(ids(), (Ids{1, 3}));
}

TEST_P(Engine, refuses_when_its_queue_is_full) {
    database.options.queue = 2;
    database.options.readers = database.options.writers = 1;
    start();
    Gate writing, reading;
    auto change = post([&](db::Write&) { writing.pass(); });
    engine->read([&](db::Read&) { reading.pass(); });
    writing.entered.get_future().wait();
    reading.entered.get_future().wait();

    auto nothing = [](std::exception_ptr) {};
    EXPECT_TRUE(engine->write("test", [](db::Write&) {}, nothing));
    EXPECT_TRUE(engine->write("test", [](db::Write&) {}, nothing));
    EXPECT_FALSE(engine->write("test", [](db::Write&) {}, nothing));
    EXPECT_TRUE(engine->read([](db::Read&) {}));
    EXPECT_TRUE(engine->read([](db::Read&) {}));
    EXPECT_FALSE(engine->read([](db::Read&) {}));
    const auto stats = engine->stats();
    EXPECT_EQ(stats.writes_waiting, 2u);
    EXPECT_EQ(stats.reads_waiting, 2u);
    EXPECT_EQ(stats.changes_refused, 1u);
    EXPECT_EQ(stats.reads_refused, 1u);

    writing.opened.set_value();
    reading.opened.set_value();
    change.get();
    engine->stop();
}

TEST_P(Engine, finishes_what_waits_when_it_stops) {
    start();
    std::atomic<int> done = 0, read_after = 0;
    for (int id = 1; id <= 50; ++id)
        engine->write(
            "test",
            [id](db::Write& db) { db.run(numbers::insert, id, 0); },
            [&](std::exception_ptr) {
                ++done;
                engine->read([&](db::Read&) { ++read_after; });
            }
        );
    engine->stop();
    EXPECT_EQ(done, 50);
    EXPECT_EQ(read_after, 50);
    EXPECT_FALSE(engine->write("late", [](db::Write&) {}, [](std::exception_ptr) {}));
    EXPECT_FALSE(engine->read([](db::Read&) {}));
    auto beside = database.connection(db::Mode::read);
    EXPECT_EQ(
        db::read_now(*beside, database.options.context, [](db::Read& db) { return db.one(numbers::count); }),
        50
    );
}

TEST_P(Engine, works_beside_the_command_line) {
    start();
    auto beside = database.connection();
    std::jthread busy([&] {
        for (int id = 1; id <= 40; ++id) write([id](db::Write& db) { db.run(numbers::insert, id, 0); });
    });
    for (int id = 101; id <= 140; ++id)
        db::write_now(*beside, database.options.context, [id](db::Write& db) {
            db.run(numbers::insert, id, 0);
        });
    busy.join();
    EXPECT_EQ(ids().size(), 80u);
}

TEST_P(Engine, makes_changes_serial) {
    start();
    write([](db::Write& db) {
        db.run(numbers::insert, 1, 0);
        db.run(numbers::insert, 2, 0);
    });
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 8; ++t)
            threads.emplace_back([this] {
                for (int i = 0; i < 15; ++i)
                    write([](db::Write& db) { db.run(numbers::set, 1, db.one(numbers::of, 1) + 1); });
            });
    }
    EXPECT_EQ(read([](db::Read& db) { return db.one(numbers::of, 1); }), 120);
}

// Each looks at the other's row before it writes its own: only serial transactions keep this rule.
TEST_P(Engine, keeps_a_rule_over_rows_that_a_change_only_reads) {
    start();
    for (int round = 0; round < 10; ++round) {
        const int left = 100 + 2 * round, right = left + 1;
        write([&](db::Write& db) {
            db.run(numbers::insert, left, 0);
            db.run(numbers::insert, right, 0);
        });
        auto take = [](int mine, int other) {
            return [mine, other](db::Write& db) {
                if (db.one(numbers::of, other) == 0) db.run(numbers::set, mine, 1);
            };
        };
        auto one = post(take(left, right)), two = post(take(right, left));
        one.get();
        two.get();
        EXPECT_EQ(
            read([&](db::Read& db) { return db.one(numbers::of, left) + db.one(numbers::of, right); }), 1
        );
    }
}

TEST_P(Engine, survives_jobs_and_callbacks_that_throw_against_the_rules) {
    start();
    engine->read([](db::Read&) { throw std::runtime_error("a job that throws"); });
    std::promise<void> called;
    engine->write(
        "test",
        [](db::Write& db) { db.run(numbers::insert, 1, 0); },
        [&](std::exception_ptr) {
            called.set_value();
            throw std::runtime_error("a done that throws");
        }
    );
    called.get_future().wait();
    EXPECT_EQ(ids(), Ids{1});
}

TEST_P(Engine, counts_slow_changes) {
    database.options.slow_change = std::chrono::milliseconds(0);
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    engine->stop();
    EXPECT_EQ(engine->stats().changes_slow, 1u);
    EXPECT_EQ(engine->stats().commits, 1u);
    EXPECT_EQ(engine->stats().changes, 1u);
}

TEST_P(Engine, tells_the_longest_run_of_each_change) {
    start();
    auto take = [&](const char* name, std::chrono::milliseconds time) {
        std::promise<void> finished;
        engine->write(
            name,
            [time](db::Write&) { std::this_thread::sleep_for(time); },
            [&](std::exception_ptr) { finished.set_value(); }
        );
        finished.get_future().wait();
    };
    take("one", std::chrono::milliseconds(30));
    take("one", std::chrono::milliseconds(2));
    take("other", std::chrono::milliseconds(60));
    const auto longest = engine->stats().longest_changes;
    ASSERT_EQ(longest.size(), 2u);
    std::map<std::string_view, std::chrono::microseconds> of(longest.begin(), longest.end());
    EXPECT_GE(of["one"], std::chrono::milliseconds(30));
    EXPECT_GE(of["other"], std::chrono::milliseconds(60));
}

#define WITHOUT_END \
    "WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000000) "
const db::Query<std::int64_t> read_without_end{
    "test_read_without_end", WITHOUT_END "SELECT count(*) FROM n", "SELECT count(*) FROM pg_sleep(3600)"
};
const db::Command write_without_end{
    "test_write_without_end",
    "INSERT INTO numbers (id, n) " WITHOUT_END "SELECT i, 0 FROM n",
    "INSERT INTO numbers (id, n) SELECT 1000, count(*) FROM pg_sleep(3600)"
};

base::Deadline soon() { return std::chrono::steady_clock::now() + std::chrono::milliseconds(200); }

TEST_P(Engine, ends_a_statement_that_reads_when_its_deadline_is_over) {
    start();
    for (int i = 0; i < 3; ++i) {  // each time on whatever reader is free
        base::Within within(soon());
        EXPECT_THROW(read([](db::Read& db) { return db.one(read_without_end); }), base::TimedOut);
    }
    EXPECT_EQ(read([](db::Read& db) { return db.one(numbers::count); }), 0);
}

TEST_P(Engine, undoes_a_change_that_its_deadline_ends_and_keeps_those_beside_it) {
    start();
    Gate gate;
    auto first = post([&](db::Write&) { gate.pass(); });
    gate.entered.get_future().wait();
    auto before = post([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    Outcome late;
    {
        base::Within within(soon());
        late = post([](db::Write& db) {
            db.run(numbers::insert, 2, 0);
            db.announce({"user:1", "never", ""});
            db.run(write_without_end);
        });
    }
    auto after = post([](db::Write& db) {
        db.run(numbers::insert, 3, 0);
        db.announce({"user:1", "made", ""});
    });
    gate.opened.set_value();
    first.get();
    EXPECT_NO_THROW(before.get());
    EXPECT_THROW(late.get(), base::TimedOut);
    EXPECT_NO_THROW(after.get());
    EXPECT_EQ(ids(), (Ids{1, 3}));
    EXPECT_EQ(heard(), Words{"made"});
}

TEST_P(Engine, does_not_begin_a_change_whose_deadline_is_over) {
    start();
    bool begun = false;
    {
        base::Within within(std::chrono::steady_clock::now());
        EXPECT_THROW(write([&](db::Write&) { begun = true; }), base::TimedOut);
    }
    EXPECT_FALSE(begun);
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    EXPECT_EQ(ids(), Ids{1});
}

TEST_P(Engine, does_not_go_on_with_a_change_that_overlooks_its_end) {
    start();
    {
        base::Within within(soon());
        EXPECT_ANY_THROW(write([](db::Write& db) {
            db.run(numbers::insert, 1, 0);
            try {
                db.run(write_without_end);
            } catch (const base::Error&) {
                // As one that expects to be refused.
            }
            db.run(numbers::insert, 2, 0);
        }));
    }
    write([](db::Write& db) { db.run(numbers::insert, 3, 0); });
    EXPECT_EQ(ids(), Ids{3});
}

TEST_P(Engine, ends_all_work_when_it_is_cancelled) {
    start();
    std::promise<void> reads, writes;
    auto reading = std::async(std::launch::async, [&] {
        return read([&](db::Read& db) {
            reads.set_value();
            return db.one(read_without_end);
        });
    });
    auto writing = post([&](db::Write& db) {
        // Who looks at what it changed has its turn from here on, so that the next one waits.
        EXPECT_EQ(std::int64_t{db.run(numbers::insert, -1, 0)}, 1);
        writes.set_value();
        db.run(write_without_end);
    });
    reads.get_future().wait();
    writes.get_future().wait();
    auto waiting = post([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    engine->cancel();
    EXPECT_THROW(reading.get(), base::TimedOut);
    EXPECT_THROW(writing.get(), base::TimedOut);
    // On PostgreSQL it may get its turn at the moment that the other one loses it.
    bool made = true;
    try {
        waiting.get();
    } catch (const base::TimedOut&) {
        made = false;
    }
    engine->stop();
    database.options.prepare = {};
    start();
    if (GetParam() == support::Database::sqlite) EXPECT_FALSE(made);
    EXPECT_EQ(ids(), made ? Ids{1} : Ids{});
}

}  // namespace

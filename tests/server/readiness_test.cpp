// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/monitoring/readiness.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace {

// Keeps what it is asked until the test lets it be done.
struct SlowEngine : db::Engine {
    bool read(std::function<void(db::Read&)> job, db::Position) override {
        ++asked;
        if (!full) jobs.push_back(std::move(job));
        return !full;
    }
    bool write(const char*, std::function<void(db::Write&)>, std::function<void(std::exception_ptr)> done)
        override {
        if (!full) dones.push_back(std::move(done));
        return !full;
    }
    bool full = false;
    int asked = 0;
    std::vector<std::function<void(db::Read&)>> jobs;
    std::vector<std::function<void(std::exception_ptr)>> dones;
};

struct Ready : testing::Test {
    std::vector<http::Response> answers;  // first: who still waits at the end gets one, too
    SlowEngine engine;
    server::Readiness readiness{engine, "here"};

    void ask() {
        readiness.answer(http::Pending([this](http::Response response) { answers.push_back(response); }));
    }
};

TEST_F(Ready, is_found_out_once_for_all_who_ask) {
    ask();
    ask();
    EXPECT_EQ(engine.asked, 1);
    EXPECT_EQ(answers.size(), 0u);
}

TEST_F(Ready, is_not_who_has_too_much_to_do) {
    engine.full = true;
    ask();
    ASSERT_EQ(answers.size(), 1u);
    EXPECT_EQ(answers[0].status, 503);
    EXPECT_EQ(answers[0].body, "too many changes wait for the database");
    EXPECT_EQ(answers[0].header("Retry-After"), "5");
    ask();
    EXPECT_EQ(answers.size(), 2u);
    EXPECT_EQ(engine.asked, 1) << "the answer of a moment ago is good enough";
}

TEST_F(Ready, does_not_wait_for_a_database_that_is_silent) {
    ask();
    readiness.tick();
    EXPECT_EQ(answers.size(), 0u);
    std::this_thread::sleep_for(std::chrono::milliseconds(5050));
    ask();
    ASSERT_EQ(answers.size(), 1u);
    EXPECT_EQ(answers[0].status, 503);
    EXPECT_EQ(answers[0].body, "the database has not answered for 5 seconds");
    readiness.tick();
    EXPECT_EQ(answers.size(), 2u) << "who has waited all the time is told, too";
}

TEST_F(Ready, is_again_once_a_database_is_back_that_was_away) {
    ask();
    engine.jobs.clear();  // as where no transaction can begin
    EXPECT_EQ(answers.size(), 0u);
    engine.dones.at(0)(std::make_exception_ptr(db::Outage("no connection")));
    ASSERT_EQ(answers.size(), 1u);
    EXPECT_EQ(answers[0].status, 503);
    EXPECT_EQ(answers[0].body, "nothing can be written to the database") << "and the cause is not shown";
    std::this_thread::sleep_for(std::chrono::milliseconds(1050));
    ask();
    EXPECT_EQ(engine.asked, 2);
}

}  // namespace

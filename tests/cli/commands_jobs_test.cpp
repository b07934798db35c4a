// SPDX-License-Identifier: AGPL-3.0-or-later
#include "jobs/listing.hpp"
#include "jobs/runner.hpp"
#include "server/program.hpp"
#include "support/database.hpp"

#include <gmock/gmock.h>

namespace {

using testing::HasSubstr;

const db::Command add_job{
    "test_add_job",
    "INSERT INTO jobs (id, kind, payload, run_at, attempts, created_at) VALUES ($1, $2, '{}', $3, $4, $5)"
};
constexpr std::int64_t never = 253'402'300'799'999;

struct JobListing : support::OnEachMigratedDatabase {
    template <class F>
    auto write(F f) {
        return db::write_now(*connection, database.options.context, f);
    }
    JobListing() {
        db::migrate(*connection, {1});
        write([](db::Write& db) { db.run(clear); });
    }
    auto kinds() { return db::read_now(*connection, database.options.context, jobs::kinds); }
    void add(std::int64_t id, const char* kind, base::Time run_at, std::int64_t attempts) {
        write([&](db::Write& db) { db.run(add_job, id, kind, run_at, attempts, base::Time{1000}); });
    }

    static const db::Command clear;
    std::unique_ptr<db::Connection> connection = database.connection();
};
const db::Command JobListing::clear{"test_clear_jobs", "DELETE FROM jobs"};
ON_EACH_DATABASE(JobListing);

TEST_P(JobListing, tells_those_that_wait_from_those_that_fail_and_were_given_up) {
    const base::Time soon{database.clock_ms + 60'000};
    add(1, "mail", soon, 0);
    add(2, "mail", soon, 3);
    add(3, "mail", {never}, 12);
    add(4, "picture", soon, 0);
    const auto all = kinds();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].kind, "mail");
    EXPECT_EQ(all[0].waiting, 2);
    EXPECT_EQ(all[0].failing, 1);
    EXPECT_EQ(all[0].given_up, 1);
    EXPECT_EQ(all[1].waiting, 1);
}

TEST_P(JobListing, brings_back_what_was_given_up_and_nothing_else) {
    const base::Time soon{database.clock_ms + 60'000};
    for (std::int64_t id = 1; id <= 150; ++id) add(id, "mail", {never}, 12);
    add(200, "mail", soon, 3);
    EXPECT_EQ(write(jobs::try_all_again), 100);
    EXPECT_EQ(write(jobs::try_all_again), 50);
    EXPECT_EQ(write(jobs::try_all_again), 0);
    const auto all = kinds();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].waiting, 151);
    EXPECT_EQ(all[0].failing, 1) << "the one that was to be tried again anyway";
    EXPECT_EQ(write([](db::Write& db) { return jobs::lease_due(db, 1000).size(); }), 150u);
}

TEST_P(JobListing, drops_one) {
    add(1, "mail", {never}, 12);
    add(2, "mail", {never}, 12);
    EXPECT_TRUE(write([](db::Write& db) { return jobs::drop(db, base::JobId{1}); }));
    EXPECT_FALSE(write([](db::Write& db) { return jobs::drop(db, base::JobId{1}); }));
    ASSERT_EQ(kinds().size(), 1u);
    EXPECT_EQ(kinds()[0].given_up, 1);
}

TEST_F(Program, lists_jobs_and_says_which_are_not_there) {
    ASSERT_EQ(run("migrate").status, 0);
    EXPECT_THAT(run("jobs list").out, testing::AnyOf(HasSubstr("WAITING"), HasSubstr("No job waits.")));
    EXPECT_EQ(run("jobs retry").out, "0 jobs due now: the running server takes them within seconds\n");
    const auto none = run("jobs drop 77");
    EXPECT_EQ(none.status, 1);
    EXPECT_THAT(none.err, HasSubstr("There is no job 77 any more"));
    EXPECT_THAT(run("jobs retry x").err, HasSubstr("is no number of a job"));
}

TEST_F(Program, takes_nothing_else_for_a_number) {
    ASSERT_EQ(run("migrate").status, 0);
    ASSERT_EQ(run("label create satire --text Satire --effect warn").status, 0);
    struct Row {
        std::string before, after;
        bool without = false;  // an empty text is as none, and means all
    };
    const Row rows[] = {
        {"hold release", ""},
        {"hold drop", ""},
        {"rule show", ""},
        {"rule mode", "watch"},
        {"rule export", "", true},
        {"list undo", ""},
        {"list show", "", true},
        {"list sync", ""},
        {"list sources", "", true},
        {"jobs drop", ""},
        {"jobs retry", "", true},
        {"label put satire --post", "", true},
        {"announcement delete", ""},
        {"report show", ""},
        {"report resolve", ""},
    };
    for (const auto& [before, after, without] : rows)
        for (const std::string text : {"''", "12x", "99999999999999999999"}) {
            if (without && text == "''") continue;
            SCOPED_TRACE(before + " " + text);
            const auto refused = run(before + " " + text + " " + after);
            EXPECT_EQ(refused.status, 1);
            EXPECT_THAT(refused.err, HasSubstr("is no number of "));
        }
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

struct AnnualReports : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");
    Person reader = w.anonymous().with("Accept", "text/html");
    std::string year;

    // To noon of the first 15th of the month that comes.
    void go_to(const std::string& month) {
        // Ids of one process never go back, and worlds before this one may have been ahead.
        auto ahead = std::stoll(bob.status("hello")) / 65'536 - w.now().ms;
        w.advance(std::max<std::int64_t>(ahead, 0) / 1000 + 1);
        while (to_string(base::Date{w.now().midnight().ms}).substr(5) != month + "-15") w.advance(86'400);
        year = to_string(base::Date{w.now().midnight().ms}).substr(0, 4);
    }
    std::string path(const std::string& rest = "") { return "/api/v1/annual_reports/" + year + rest; }
    std::string state() { return alice.get(path("/state"))["state"]; }
};
ON_EACH_DATABASE(AnnualReports);

TEST_P(AnnualReports, are_made_once_a_year_in_december) {
    go_to("12");
    EXPECT_EQ(state(), "eligible");
    EXPECT_EQ(alice.get(path()).status, 404);
    EXPECT_EQ(alice.post(path("/generate")).status, 202);
    EXPECT_EQ(state(), "generating");
    EXPECT_THAT(alice.get(path("/state")).header("Mastodon-Async-Refresh"), testing::HasSubstr("retry=2"));
    EXPECT_EQ(alice.post(path("/generate")).body, "{}");
    EXPECT_EQ(alice.get("/api/v1/annual_reports")["annual_reports"], "[]");
    w.run_jobs();
    EXPECT_EQ(state(), "available");
    EXPECT_EQ(alice.get(path("/state")).header("Mastodon-Async-Refresh"), "");
    EXPECT_EQ(alice.get("/api/v1/notifications")["0.type"], "annual_report");
    EXPECT_EQ(alice.get(path())["annual_reports.0.year"], year);
    EXPECT_EQ(alice.post(path("/generate")).status, 200);
    EXPECT_EQ(bob.get(path()).status, 404);
}

TEST_P(AnnualReports, are_not_to_be_had_at_other_times_or_of_other_years) {
    go_to("11");
    EXPECT_EQ(state(), "ineligible");
    EXPECT_EQ(alice.post(path("/generate")).status, 200);
    go_to("12");
    year = std::to_string(std::stoi(year) - 1);
    EXPECT_EQ(state(), "ineligible");
    EXPECT_EQ(alice.get("/api/v1/annual_reports/abc/state").status, 404);
}

TEST_P(AnnualReports, tell_what_was_written_and_what_of_it_was_boosted_most) {
    go_to("12");
    auto one = alice.status("#water"), two = alice.status("#water #fire");
    bob.follows(alice);
    bob.reblogs(one);
    alice.post(path("/generate"));
    w.run_jobs();
    auto answer = alice.get(path());
    EXPECT_EQ(answer["annual_reports.0.data.archetype"], "lurker");
    EXPECT_EQ(answer["annual_reports.0.data.top_statuses.by_reblogs"], one);
    EXPECT_EQ(answer["annual_reports.0.data.top_statuses.by_favourites"], "null");
    EXPECT_EQ(answer["annual_reports.0.data.top_hashtags.0.name"], "water");
    EXPECT_EQ(answer["annual_reports.0.data.top_hashtags.0.count"], "2");
    EXPECT_EQ(answer["annual_reports.0.data.time_series.11.statuses"], "2");
    EXPECT_EQ(answer["annual_reports.0.data.time_series.11.followers"], "1");
    EXPECT_EQ(answer["annual_reports.0.data.time_series.10.statuses"], "0");
    EXPECT_EQ(answer["annual_reports.0.account_id"], alice.id);
    EXPECT_EQ(answer["statuses.0.id"], one);
    EXPECT_EQ(answer["accounts.0.id"], alice.id);
    bob.post(path("/generate"));
    w.run_jobs();
    EXPECT_EQ(bob.get(path())["annual_reports.0.data.top_statuses.by_reblogs"], "null");
}

TEST_P(AnnualReports, are_listed_until_they_are_read) {
    go_to("12");
    EXPECT_EQ(alice.post(path("/read")).status, 404);
    alice.post(path("/generate"));
    w.run_jobs();
    EXPECT_EQ(alice.get("/api/v1/annual_reports")["annual_reports.0.year"], year);
    EXPECT_EQ(alice.post(path("/read")).body, "{}");
    EXPECT_EQ(alice.get("/api/v1/annual_reports")["annual_reports"], "[]");
    EXPECT_EQ(alice.get(path()).status, 200);
}

// A page without an account, whose address only its owner is told.
TEST_P(AnnualReports, are_shown_to_whoever_was_given_the_address) {
    go_to("12");
    auto open = alice.status("#water and <b>stones</b>"),
         closed = alice.status("just us", {{"visibility", "private"}});
    bob.follows(alice);
    bob.reblogs(open);
    alice.post(path("/generate"));
    w.run_jobs();
    std::string address = alice.get(path())["annual_reports.0.share_url"];
    auto begin = w.site().public_url + "/@alice/wrapstodon/" + year + "/";
    ASSERT_THAT(address, testing::StartsWith(begin));
    EXPECT_GE(address.size(), begin.size() + 20);
    auto local = address.substr(w.site().public_url.size());
    auto page = reader.get(local);
    EXPECT_EQ(page.status, 200);
    for (const auto* part : {"alice", "#water", "Mostly reads", "stones", "noindex"})
        EXPECT_THAT(page.body, testing::HasSubstr(part));
    EXPECT_THAT(page.body, testing::Not(testing::HasSubstr("just us")));
    for (const auto& other :
         {local.substr(0, local.size() - 1),
          local + "x",
          "/@bob" + local.substr(local.find("/wrapstodon")),
          "/@alice/wrapstodon/1999" + local.substr(local.rfind('/')),
          std::string("/@alice/wrapstodon/x/y")})
        EXPECT_EQ(reader.get(other).status, 404) << other;
    alice.del("/api/v1/statuses/" + open);
    auto later = reader.get(local);
    EXPECT_EQ(later.status, 200);
    EXPECT_THAT(later.body, testing::Not(testing::HasSubstr("stones")));
}

}  // namespace

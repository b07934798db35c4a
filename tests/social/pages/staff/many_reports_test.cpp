// SPDX-License-Identifier: AGPL-3.0-or-later
// What the pages of the team ask of the database while many reports are open.
#include "social/moderation/staff.hpp"
#include "social/oauth/session.hpp"

#include <gmock/gmock.h>

namespace {

using testing::HasSubstr;

struct ManyReports : OnEachWorld {
    Person mona = staff(w, "mona", {1}), rita = w.local("rita");
    Person browser = signed_in();

    Person signed_in() {
        auto secret = w.write([&](db::Write& db) {
            auto user = accounts::find_user_of(db, {std::stoll(mona.id)});
            return oauth::begin_session(db, user->id, "127.0.0.1", "a browser");
        });
        return w.anonymous()
            .with("Accept", "text/html")
            .with("Cookie", "dunlin_session=" + secret + "; __Host-dunlin_session=" + secret);
    }
    std::string reported(const Person& whom) {
        auto answer = rita.post("/api/v1/reports", {{"account_id", whom.id}, {"comment", "Look at this"}});
        EXPECT_EQ(answer.status, 200) << answer.body;
        w.run_jobs();
        return answer["id"];
    }
    int cost(const std::string& path) {
        browser.get(path);
        w.queries();
        auto page = browser.get(path);
        EXPECT_EQ(page.status, 200) << path << page.body;
        EXPECT_THAT(page.body, HasSubstr("class=\"rows\"")) << path;
        return w.queries();
    }
};
ON_EACH_DATABASE(ManyReports);

TEST_P(ManyReports, cost_no_more_questions_than_one) {
    const std::vector<std::string> pages{
        "/settings/moderation",
        "/settings/moderation/reports",
        "/settings/moderation/reports?state=all",
        "/settings/moderation/cases",
    };
    reported(w.local("bad"));
    std::vector<int> few, many;
    for (const auto& page : pages) few.push_back(cost(page));
    for (int i = 0; i < 24; ++i) reported(w.local("bad" + std::to_string(i)));
    for (const auto& page : pages) many.push_back(cost(page));
    EXPECT_EQ(many, few);
    EXPECT_THAT(browser.get(pages[1]).body, HasSubstr("max_id="));
    EXPECT_THAT(browser.get(pages[0]).body, HasSubstr("20+"));
}

std::string piece(const std::string& text, const std::string& before, const std::string& behind) {
    const auto at = text.find(before);
    if (at == text.npos) return {};
    const auto begin = at + before.size();
    return text.substr(begin, text.find(behind, begin) - begin);
}

TEST_P(ManyReports, of_one_case_are_answered_by_what_is_done_about_their_posts) {
    auto bad = w.local("bad"), carl = w.local("carl");
    const auto first = bad.status("buy this"), second = bad.status("and this"), kept = bad.status("hello");
    rita.post("/api/v1/reports", {{"account_id", bad.id}, {"status_ids[]", first}});
    carl.post("/api/v1/reports", {{"account_id", bad.id}, {"status_ids[]", first}, {"status_ids[]", second}});
    w.run_jobs();
    const std::string cases = "/settings/moderation/cases";
    const auto path = cases + "/" + piece(browser.get(cases).body, "href=\"" + cases + "/", "\"");
    const auto page = browser.get(path);
    EXPECT_THAT(page.body, HasSubstr("Delete the posts"));
    EXPECT_THAT(page.body, HasSubstr("Of that for how many reported it"));
    const auto token = piece(page.body, "name=\"authenticity_token\" value=\"", "\"");
    const auto acted = browser.post(
        path + "/act", {{"authenticity_token", token}, {"type", "delete_statuses"}, {"text", "No"}}
    );
    EXPECT_EQ(acted.status, 302) << acted.body;
    w.run_jobs();
    EXPECT_EQ(rita.get("/api/v1/statuses/" + first).status, 404);
    EXPECT_EQ(rita.get("/api/v1/statuses/" + second).status, 404);
    EXPECT_EQ(rita.get("/api/v1/statuses/" + kept).status, 200);
    EXPECT_TRUE(mona.get("/api/v1/admin/reports").ids().empty());
}

TEST_P(ManyReports, of_one_case_are_weighed_in_one_number_where_nothing_adds_to_it) {
    reported(w.local("bad"));
    const std::string cases = "/settings/moderation/cases";
    const auto page =
        browser.get(cases + "/" + piece(browser.get(cases).body, "href=\"" + cases + "/", "\""));
    EXPECT_THAT(page.body, HasSubstr("<dt>How much it matters</dt><dd>10</dd>"));
    EXPECT_THAT(page.body, testing::Not(HasSubstr("Of that for")));
    EXPECT_THAT(page.body, testing::Not(HasSubstr("Delete the posts")));
}

TEST_P(ManyReports, of_one_state_do_not_hide_those_of_the_other_on_the_same_account) {
    auto bad = w.local("bad"), other = w.local("other");
    auto first = reported(bad), second = reported(bad), elsewhere = reported(other);
    ASSERT_EQ(mona.post("/api/v1/admin/reports/" + first + "/resolve").status, 200);
    auto found = [&](const std::string& state) {
        auto page = browser.get("/settings/moderation/reports?state=" + state + "&about=bad").body;
        std::vector<std::string> out;
        for (const auto& id : {first, second, elsewhere})
            if (page.find("/settings/moderation/reports/" + id) != std::string::npos) out.push_back(id);
        return out;
    };
    EXPECT_EQ(found("open"), std::vector{second});
    EXPECT_EQ(found("resolved"), std::vector{first});
    EXPECT_EQ(found("all"), (std::vector{first, second}));
    auto between =
        mona.get("/api/v1/admin/reports", {{"target_account_id", bad.id}, {"account_id", rita.id}});
    EXPECT_EQ(between.ids(), std::vector{second});
}

TEST_P(ManyReports, are_found_where_apps_lead_the_team) {
    auto id = reported(w.local("bad"));
    EXPECT_EQ(browser.get("/admin").header("Location"), "/settings/moderation");
    EXPECT_EQ(browser.get("/admin/reports").header("Location"), "/settings/moderation/reports");
    EXPECT_EQ(browser.get("/admin/reports/" + id).header("Location"), "/settings/moderation/reports/" + id);
    EXPECT_EQ(
        browser.get("/admin/accounts/" + rita.id).header("Location"),
        "/settings/moderation/accounts/" + rita.id
    );
    EXPECT_EQ(browser.get("/admin/reports/x").status, 404);
}

}  // namespace

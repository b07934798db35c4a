// SPDX-License-Identifier: AGPL-3.0-or-later
// How the server does and by which apps one gets in, for everybody.
#include "social/instance/activity.hpp"
#include "social/moderation/alerts/alert.hpp"

#include "social/moderation/staff.hpp"
#include "support/periodic.hpp"

#include <gmock/gmock.h>

namespace {

using testing::HasSubstr, testing::Not;

struct StatusPages : OnEachWorld {
    Person browser = w.anonymous().with("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    std::string page() {
        auto answer = browser.get("/status");
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer.body;
    }
    void minutes(int many, const std::string& place, const std::vector<moderation::Trouble>& wrong) {
        for (int i = 0; i < many; ++i) {
            w.write([&](db::Write& db) { moderation::note_troubles(db, place, wrong); });
            support::run_periodic(w, moderation::tell_of_alerts);
            w.run_jobs();
            w.advance(60);
        }
    }
};
ON_EACH_DATABASE(StatusPages);

TEST_P(StatusPages, tell_everybody_that_all_is_well_and_what_the_server_takes) {
    w.local("alice").status("words");
    w.local("bob");
    support::run_periodic(w, instance::count_everything);
    support::run_periodic(w, instance::count_activity);
    const auto shown = page();
    EXPECT_THAT(shown, HasSubstr("Everything works as it should."));
    EXPECT_THAT(shown, HasSubstr("<dt>People</dt><dd>2</dd>"));
    EXPECT_THAT(shown, HasSubstr("<dt>Posts</dt><dd>1</dd>"));
    EXPECT_THAT(shown, HasSubstr("<dt>Who may sign up</dt><dd>Everybody</dd>"));
    EXPECT_THAT(shown, HasSubstr("<dt>Longest post, in characters</dt><dd>5000</dd>"));
    EXPECT_THAT(shown, HasSubstr("The last weeks"));
    EXPECT_THAT(shown, Not(HasSubstr("What does not work")));
    EXPECT_THAT(shown, Not(HasSubstr("<script")));
    EXPECT_EQ(
        browser.get("/api/v2/instance")["configuration.urls.status"],
        w.anonymous().get("/api/v2/instance")["configuration.urls.about"].substr(
            0, browser.get("/api/v2/instance")["configuration.urls.about"].rfind('/')
        ) + "/status"
    );
}

TEST_P(StatusPages, say_what_people_meet_of_what_is_wrong_and_nothing_that_helps_who_means_harm) {
    staff(w, "olga", {3});
    minutes(2, "one", {{"inbox", "The oldest has waited for 2 hours"}});
    EXPECT_THAT(page(), HasSubstr("Everything works as it should.")) << "what is over soon is not told";
    minutes(6, "one", {{"inbox", "The oldest has waited for 2 hours"}, {"disk", "3 MB are free"}});
    minutes(6, "two", {{"inbox", "The oldest has waited for 3 hours"}, {"backup", "3 days old"}});
    const auto shown = page();
    EXPECT_THAT(shown, Not(HasSubstr("Everything works")));
    const std::string late = "What other servers send is read late";
    EXPECT_THAT(shown, HasSubstr(late));
    EXPECT_EQ(shown.find(late), shown.rfind(late)) << "once, on however many nodes";
    for (const auto* secret : {"The disk is nearly full", "The backup", "has waited", "3 MB", "one", "two"})
        EXPECT_THAT(shown.substr(shown.find("<main>")), Not(HasSubstr("<strong>" + std::string(secret))));
    EXPECT_THAT(shown, Not(HasSubstr("has waited")));
    minutes(40, "one", {});
    EXPECT_THAT(page(), HasSubstr("Everything works as it should."));
}

TEST_P(StatusPages, lead_to_apps_and_to_what_is_looked_for_under_short_names) {
    const auto apps = browser.get("/apps");
    EXPECT_EQ(apps.status, 200);
    EXPECT_THAT(apps.body, HasSubstr("Any app for the Mastodon API works here."));
    EXPECT_THAT(apps.body, HasSubstr("/oauth/authorized_applications"));
    EXPECT_EQ(browser.get("/privacy").header("Location"), "/privacy-policy");
    EXPECT_EQ(browser.get("/terms").header("Location"), "/terms-of-service");
    EXPECT_THAT(browser.get("/about").body, HasSubstr("href=\"/status\""));
}

}  // namespace

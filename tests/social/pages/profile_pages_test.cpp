// SPDX-License-Identifier: AGPL-3.0-or-later
#include "world.hpp"

namespace {

struct PublicPages : OnEachWorld {
    Person alice = w.local("alice");
    Person browser = w.anonymous().with("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");

    static bool says(const Answer& page, const std::string& text) {
        return page.body.find(text) != std::string::npos;
    }
};
ON_EACH_DATABASE(PublicPages);

TEST_P(PublicPages, of_profiles_show_what_everybody_may_see) {
    alice.patch(
        "/api/v1/accounts/update_credentials", {{"display_name", "<Alice>"}, {"note", "I like birds"}}
    );
    alice.status("seen by all");
    alice.status("for followers", {{"visibility", "private"}});
    alice.status("for us", {{"local_only", "true"}});
    auto page = browser.get("/@alice");
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(page.header("Content-Type"), "text/html; charset=utf-8");
    EXPECT_EQ(page.header("Vary"), "Accept");
    EXPECT_TRUE(says(page, "&lt;Alice&gt;"));
    EXPECT_FALSE(says(page, "<Alice>"));
    EXPECT_TRUE(says(page, "<p>I like birds</p>"));
    EXPECT_TRUE(says(page, "<p>seen by all</p>"));
    EXPECT_FALSE(says(page, "for followers"));
    EXPECT_FALSE(says(page, "for us"));
    EXPECT_FALSE(says(page, "<script"));
    auto id = "http://localhost:3000/ap/users/" + alice.id;
    EXPECT_TRUE(says(page, "<link rel=\"alternate\" type=\"application/activity+json\" href=\"" + id + "\">")
    );
    EXPECT_EQ(page.header("Link"), "<" + id + ">; rel=\"alternate\"; type=\"application/activity+json\"");
    EXPECT_EQ(w.anonymous().with("Accept", "application/activity+json").get("/@alice")["id"], id);
}

TEST_P(PublicPages, of_posts_keep_a_warned_text_folded) {
    auto post = alice.post(
        "/api/v1/statuses",
        {{"status", "the end"},
         {"spoiler_text", "<spoiler>"},
         {"poll[options][]", "yes"},
         {"poll[options][]", "no"},
         {"poll[expires_in]", "300"}}
    );
    auto page = browser.get("/@alice/" + post.id());
    EXPECT_EQ(page.status, 200);
    EXPECT_TRUE(says(page, "<details><summary>&lt;spoiler&gt;</summary><p>the end</p><p class=\"option\">yes")
    );
    auto answer = w.anonymous().with("Accept", "application/activity+json").get("/@alice/" + post.id());
    EXPECT_EQ(answer["type"], "Question");
}

TEST_P(PublicPages, of_what_is_not_for_everybody_do_not_exist) {
    auto bob = w.local("bob");
    auto open = alice.status("open");
    for (const auto& id :
         {alice.status("closed", {{"visibility", "private"}}),
          alice.status("us", {{"local_only", "true"}}),
          alice.status("@bob psst", {{"visibility", "direct"}}),
          std::string("1")})
        EXPECT_EQ(browser.get("/@alice/" + id).status, 404) << id;
    EXPECT_EQ(browser.get("/@bob/" + open).status, 404);
    EXPECT_EQ(browser.get("/@nobody").status, 404);
    auto boost = bob.reblogs(open);
    EXPECT_EQ(browser.get("/@bob/" + boost).header("Location"), "http://localhost:3000/@alice/" + open);
    w.suspend(alice);
    EXPECT_EQ(browser.get("/@alice").status, 403);
    EXPECT_EQ(browser.get("/@alice/" + open).status, 403);
}

TEST_P(PublicPages, lead_on_to_what_is_known) {
    auto id = alice.status("open");
    auto there = [&](const std::string& uri) {
        return browser.get("/authorize_interaction?" + form_encoded({{"uri", uri}}));
    };
    EXPECT_EQ(there("acct:alice@localhost").header("Location"), "http://localhost:3000/@alice");
    auto status = "http://localhost:3000/ap/users/" + alice.id + "/statuses/" + id;
    EXPECT_EQ(there(status).header("Location"), "http://localhost:3000/@alice/" + id);
    EXPECT_EQ(there("https://elsewhere.test/@x").status, 404);
    EXPECT_EQ(browser.get("/.well-known/change-password").status, 302);
    EXPECT_EQ(
        browser.get("/.well-known/proxy?uri=a%26b").header("Location"),
        "http://localhost:3000/authorize_interaction?uri=a%26b"
    );
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/user.hpp"
#include "social/emojis/emoji.hpp"
#include "social/instance/settings.hpp"
#include "social/media/media.hpp"
#include "world.hpp"

namespace {

struct PublicPages : OnEachWorld {
    Person alice = w.local("alice");
    Person browser = w.anonymous().with("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    PublicPages() {
        // The first page leads to the set-up until there is an owner.
        w.write([&](db::Write& db) {
            auto user = accounts::find_user_of(db, {std::stoll(alice.id)});
            accounts::set_role(db, user->id, accounts::owner);
        });
    }

    static bool says(const Answer& page, const std::string& text) {
        return page.body.find(text) != std::string::npos;
    }
    static bool may_be_listed(const Answer& page) {
        EXPECT_EQ(page.status, 200);
        return !says(page, "<meta name=\"robots\" content=\"noindex\">");
    }
    static std::string meta(const std::string& kind, const std::string& name, const std::string& content) {
        return "<meta " + kind + "=\"" + name + "\" content=\"" + content + "\">";
    }
    static std::string og(const std::string& name, const std::string& content) {
        return meta("property", name, content);
    }
};
ON_EACH_DATABASE(PublicPages);

TEST_P(PublicPages, name_who_follows_somebody_unless_they_hide_it) {
    Person bob = w.local("bob");
    bob.follows(alice);
    EXPECT_TRUE(says(browser.get("/@alice/followers"), "@bob"));
    EXPECT_TRUE(says(browser.get("/@bob/following"), "@alice"));
    EXPECT_TRUE(says(browser.get("/@alice/following"), "Nobody yet."));
    alice.patch("/api/v1/accounts/update_credentials", {{"hide_collections", "true"}});
    auto hidden = browser.get("/@alice/followers");
    EXPECT_TRUE(says(hidden, "This is not shown.") && !says(hidden, "@bob"));
    EXPECT_EQ(browser.get("/@nobody/followers").status, 404);
}

TEST_P(PublicPages, of_followers_cost_the_same_queries_for_one_and_for_many) {
    const std::string path = "/@alice/followers";
    w.local("bob").follows(alice);
    browser.get(path);
    w.queries();
    browser.get(path);
    auto few = w.queries();
    for (int i = 0; i < 10; ++i) w.local("p" + std::to_string(i)).follows(alice);
    browser.get(path);  // fills what is kept
    w.queries();
    EXPECT_TRUE(says(browser.get(path), "@p9"));
    EXPECT_EQ(w.queries(), few);
}

TEST_P(PublicPages, show_the_posts_of_somebody_with_a_tag) {
    alice.status("seen #Birds");
    alice.status("something else");
    auto page = browser.get("/@alice/tagged/birds");
    EXPECT_TRUE(says(page, "seen ") && !says(page, "something else"));
}

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
    EXPECT_TRUE(page.header("Vary").starts_with("Accept, Cookie"));
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
    EXPECT_TRUE(says(
        page,
        "<details><summary>&lt;spoiler&gt;</summary><div lang=\"en\"><p>the end</p></div><p "
        "class=\"option\">yes"
    ));
    auto answer = w.anonymous().with("Accept", "application/activity+json").get("/@alice/" + post.id());
    EXPECT_EQ(answer["type"], "Question");
}

TEST_P(PublicPages, of_posts_show_the_thread_that_everybody_may_see) {
    auto bob = w.local("bob");
    auto first = alice.status("the first");
    auto answer = bob.answers(first, "an answer");
    bob.answers(answer, "an answer to that");
    alice.post(
        "/api/v1/statuses",
        {{"status", "a secret answer"}, {"in_reply_to_id", first}, {"visibility", "private"}}
    );
    auto page = browser.get("/@alice/" + first);
    EXPECT_TRUE(says(page, "an answer to that"));
    EXPECT_TRUE(says(page, "post depth-1"));
    EXPECT_TRUE(says(page, "post depth-2"));
    EXPECT_FALSE(says(page, "secret"));
    EXPECT_TRUE(says(browser.get("/@bob/" + answer), "the first"));
    auto alone = browser.get("/@bob/" + answer + "/embed");
    EXPECT_FALSE(says(alone, "the first"));
    EXPECT_TRUE(alone.header("Content-Security-Policy").find("frame-ancestors *") != std::string::npos);
}

TEST_P(PublicPages, have_feeds_of_what_everybody_may_see) {
    alice.status("birds & <bees> #water");
    alice.status("for followers #water", {{"visibility", "private"}});
    for (const auto& path :
         {"/@alice.rss",
          "/@alice.atom",
          "/@alice/feed.json",
          "/tags/water.rss",
          "/tags/water.atom",
          "/tags/water/feed.json"}) {
        auto feed = browser.get(path);
        EXPECT_EQ(feed.status, 200) << path;
        EXPECT_TRUE(says(feed, "birds")) << path;
        EXPECT_FALSE(says(feed, "for followers")) << path;
        EXPECT_FALSE(says(feed, "<bees>")) << path;
    }
}

TEST_P(PublicPages, of_the_site_answer_everybody) {
    alice.status("to be found #water");
    for (const auto& path :
         {"/about",
          "/rules",
          "/privacy-policy",
          "/explore",
          "/public/local",
          "/tags/water",
          "/@alice/with_replies",
          "/@alice/media",
          "/custom.css"})
        EXPECT_EQ(browser.get(path).status, 200) << path;
    for (const auto& path : {"/tags/nobodywrotethis", "/terms-of-service", "/@nobody.rss", "/intent?uri=x"})
        EXPECT_EQ(browser.get(path).status, 404) << path;
    EXPECT_TRUE(says(browser.get("/public/local"), "to be found"));
    EXPECT_TRUE(says(browser.get("/tags/water"), "to be found"));
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

TEST_P(PublicPages, may_be_listed_by_search_engines_as_account_and_site_say) {
    auto id = alice.status("hello");
    auto post = "/@alice/" + id;
    auto allow = [&](const std::string& value) {
        return alice.patch("/api/v1/accounts/update_credentials", {{"indexable", value}})["noindex"];
    };
    EXPECT_FALSE(may_be_listed(browser.get("/@alice")));
    EXPECT_FALSE(may_be_listed(browser.get(post)));
    EXPECT_EQ(allow("true"), "false");
    EXPECT_TRUE(may_be_listed(browser.get("/@alice")));
    EXPECT_TRUE(may_be_listed(browser.get(post)));
    EXPECT_TRUE(may_be_listed(browser.get("/")));
    EXPECT_FALSE(may_be_listed(browser.get("/auth/sign_in")));
    w.write([](db::Write& db) { instance::set_setting(db, "noindex", "true"); });
    for (const auto& path : {std::string("/@alice"), post, std::string("/")})
        EXPECT_FALSE(may_be_listed(browser.get(path))) << path;
    w.write([](db::Write& db) { instance::remove_setting(db, "noindex"); });
    EXPECT_TRUE(may_be_listed(browser.get(post)));
    EXPECT_EQ(allow("false"), "true");
    EXPECT_FALSE(may_be_listed(browser.get(post)));
}

TEST_P(PublicPages, of_profiles_say_what_links_to_them_look_like) {
    alice.patch(
        "/api/v1/accounts/update_credentials",
        {{"display_name", "Alice"},
         {"note", "I like\n\nbirds"},
         {"avatar", "data:image/png;base64,AAAA"},
         {"avatar_description", "a bird"}}
    );
    auto page = browser.get("/@alice");
    for (const auto& tag :
         {og("og:type", "profile"),
          og("og:title", "Alice (@alice@localhost)"),
          og("og:url", "http://localhost:3000/@alice"),
          og("og:description", "I like birds"),
          og("og:image", "http://localhost:3000/media/made/of/an/upload.png"),
          og("og:image:alt", "a bird"),
          og("og:site_name", "Dunlin"),
          og("profile:username", "alice@localhost"),
          meta("name", "twitter:card", "summary"),
          meta("name", "description", "I like birds")})
        EXPECT_TRUE(says(page, tag)) << tag << page.body;
}

TEST_P(PublicPages, of_posts_say_what_links_to_them_look_like) {
    auto id = alice.status("**Hello** https://a.example/x\nyou", {{"content_type", "text/markdown"}});
    auto page = browser.get("/@alice/" + id);
    for (const auto& tag :
         {og("og:type", "article"),
          og("og:title", "alice (@alice@localhost)"),
          og("og:url", "http://localhost:3000/@alice/" + id),
          og("og:description", "Hello https://a.example/x you"),
          og("og:image", "http://localhost:3000/static/avatars/missing.png"),
          og("article:published_time", "2026-01-01T00:00:00.000Z"),
          og("og:site_name", "Dunlin"),
          meta("name", "twitter:card", "summary"),
          meta("name", "fediverse:creator", "@alice@localhost")})
        EXPECT_TRUE(says(page, tag)) << tag << page.body;
    auto long_one = browser.get("/@alice/" + alice.status(std::string(1000, 'x')));
    EXPECT_TRUE(says(long_one, og("og:description", std::string(300, 'x') + "…")));
}

TEST_P(PublicPages, of_posts_show_their_pictures_elsewhere_unless_they_are_sensitive) {
    auto upload = [&] {
        media::Media m;
        m.account_id = {std::stoll(alice.id)};
        m.file = m.preview = "made/of/an/upload.png";
        m.description = "a \"bird\"";
        return std::to_string(w.write([&](db::Write& db) { return media::create(db, m); }).value);
    };
    auto page = [&](Fields fields) {
        fields.emplace_back("media_ids[]", upload());
        return browser.get("/@alice/" + alice.status("words", fields));
    };
    auto picture = "http://localhost:3000/media/made/of/an/upload.png";
    auto open = page({});
    EXPECT_TRUE(says(open, og("og:image", picture))) << open.body;
    EXPECT_TRUE(says(open, og("og:image:alt", "a &quot;bird&quot;")));
    EXPECT_TRUE(says(open, meta("name", "twitter:card", "summary_large_image")));
    for (const auto& fields : {Fields{{"sensitive", "true"}}, Fields{{"spoiler_text", "careful"}}}) {
        auto hidden = page(fields);
        EXPECT_FALSE(says(hidden, og("og:image", picture)));
        EXPECT_TRUE(says(hidden, meta("name", "twitter:card", "summary")));
    }
    auto warned = page({{"spoiler_text", "careful"}});
    EXPECT_TRUE(says(warned, og("og:description", "careful")));
    EXPECT_FALSE(says(warned, og("og:description", "words")));
}

TEST_P(PublicPages, tell_nothing_of_what_strangers_may_not_see) {
    alice.patch("/api/v1/accounts/update_credentials", {{"note", "my secret note"}});
    for (const auto& id :
         {alice.status("secret", {{"visibility", "private"}}),
          alice.status("secret", {{"local_only", "true"}}),
          alice.status("secret @alice", {{"visibility", "direct"}})}) {
        auto page = browser.get("/@alice/" + id);
        EXPECT_EQ(page.status, 404);
        EXPECT_FALSE(says(page, "og:") || says(page, "secret")) << page.body;
    }
    w.suspend(alice);
    auto gone = browser.get("/@alice");
    EXPECT_EQ(gone.status, 403);
    EXPECT_FALSE(says(gone, "og:") || says(gone, "secret")) << gone.body;
}

TEST_P(PublicPages, escape_what_stands_in_their_head) {
    auto evil = "\"><script>alert(1)</script>\r\n<meta http-equiv='refresh' content='0'>";
    alice.patch("/api/v1/accounts/update_credentials", {{"display_name", "\"><script>"}, {"note", evil}});
    auto id = alice.status(evil);
    auto warned = alice.status("x", {{"spoiler_text", evil}});
    for (const auto& path : {std::string("/@alice"), "/@alice/" + id, "/@alice/" + warned}) {
        auto page = browser.get(path);
        EXPECT_EQ(page.status, 200);
        EXPECT_FALSE(says(page, "<script") || says(page, "http-equiv='")) << page.body;
        auto head = page.body.substr(0, page.body.find("</head>"));
        EXPECT_EQ(head.find("alert(1)</"), head.npos);
        EXPECT_TRUE(says(page, "content=\"&quot;&gt;&lt;script&gt;")) << head;
    }
}

TEST_P(PublicPages, lead_on_to_what_is_known) {
    auto id = alice.status("open");
    auto there = [&](const std::string& uri) {
        return browser.get("/authorize_interaction?" + form_encoded({{"uri", uri}}));
    };
    EXPECT_EQ(there("acct:alice@localhost").header("Location"), "http://localhost:3000/@alice");
    auto status = "http://localhost:3000/ap/users/" + alice.id + "/statuses/" + id;
    EXPECT_EQ(there(status).header("Location"), "http://localhost:3000/@alice/" + id);
    EXPECT_EQ(browser.get("/.well-known/change-password").status, 302);
    EXPECT_EQ(
        browser.get("/.well-known/proxy?uri=a%26b").header("Location"),
        "http://localhost:3000/authorize_interaction?uri=a%26b"
    );
}

TEST_P(PublicPages, show_custom_emojis_as_pictures_in_what_people_wrote) {
    w.write([](db::Write& db) { emojis::put(db, "wave", "e/wave.gif", "e/wave.png", {}); });
    alice.patch(
        "/api/v1/accounts/update_credentials",
        {{"display_name", "Alice <b> :wave:"},
         {"note", "hi :wave: :nothing:"},
         {"fields_attributes[0][name]", "is :wave:"},
         {"fields_attributes[0][value]", "here :wave:"}}
    );
    const auto picture = [](const std::string& before) {
        return before +
               R"(<img class="emoji" src="http://localhost:3000/media/e/wave.png" alt=":wave:" title=":wave:")";
    };
    alice.post(
        "/api/v1/statuses",
        {{"status", "look :wave: https://example.com/:wave:/x"},
         {"spoiler_text", "warned :wave:"},
         {"poll[options][]", "yes :wave:"},
         {"poll[options][]", "no"},
         {"poll[expires_in]", "300"}}
    );
    auto page = browser.get("/@alice");
    for (auto before :
         {"<h1>Alice &lt;b&gt; ",
          "<p>hi ",
          "<dt>is ",
          "<dd>here ",
          "<strong>Alice &lt;b&gt; ",
          "<summary>warned ",
          "<p>look ",
          "\"option\">yes "})
        EXPECT_TRUE(says(page, picture(before))) << before << "\n" << page.body;
    EXPECT_TRUE(says(page, ":nothing:"));
    EXPECT_TRUE(says(page, "href=\"https://example.com/:wave:/x\"")) << "what stands inside a tag stays";
    Person bob = w.local("bob");
    alice.follows(bob);
    EXPECT_TRUE(says(browser.get("/@bob/followers"), picture("<strong>Alice &lt;b&gt; ")));
}

TEST_P(PublicPages, to_explore_say_where_to_look_while_nothing_is_talked_about) {
    alice.status("the first words here");
    alice.patch("/api/v1/accounts/update_credentials", {{"discoverable", "true"}});
    auto page = browser.get("/explore");
    EXPECT_TRUE(says(page, "Nothing is much talked about at present."));
    EXPECT_TRUE(says(page, "href=\"/public/local\""));
    EXPECT_TRUE(says(page, "<h2>People</h2>"));
    EXPECT_TRUE(says(page, "@alice"));
    alice.patch("/api/v1/accounts/update_credentials", {{"discoverable", "false"}});
    EXPECT_FALSE(says(browser.get("/explore"), "@alice")) << "nobody who does not want to be found";
}

}  // namespace

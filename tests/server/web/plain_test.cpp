// SPDX-License-Identifier: AGPL-3.0-or-later
// The pages of who is signed in without JavaScript: what they show, what their forms do, and what they refuse.
#include "http/route.hpp"
#include "server/tables.hpp"
#include "social/accounts/users/user.hpp"
#include "social/oauth/session.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view elsewhere = "https://evil.example";

struct PlainPages : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");
    Person browser = signed_in(alice);

    // What a browser of theirs sends; `plain`: these pages were chosen in it.
    Person signed_in(const Person& who, bool plain = true) {
        auto secret = w.write([&](db::Write& db) {
            auto user = accounts::find_user_of(db, {std::stoll(who.id)});
            return oauth::begin_session(db, user->id, "192.0.2.1", "A browser");
        });
        w.changed();
        auto cookies = "dunlin_session=" + secret + (plain ? "; dunlin_plain=1" : "");
        return w.anonymous().with("Cookie", cookies).with("Accept", "text/html,*/*;q=0.8");
    }
    static std::string field(const std::string& page, const std::string& name) {
        auto mark = "name=\"" + name + "\" value=\"";
        auto at = page.find(mark);
        if (at == page.npos) return {};
        at += mark.size();
        return page.substr(at, page.find('"', at) - at);
    }
    std::string proof() { return field(browser.get("/compose").body, "authenticity_token"); }
    Answer press(const std::string& path, Fields fields = {}) {
        fields.emplace_back("authenticity_token", proof());
        fields.emplace_back("return_to", "/home?max_id=9#post-1");
        w.changed();
        return browser.post(path, fields);
    }
    std::string state(const std::string& status, std::string_view member) {
        return alice.get("/api/v1/statuses/" + status)[member];
    }
    std::string with_bob(std::string_view member) {
        return alice.get("/api/v1/accounts/relationships", {{"id[]", bob.id}})["0." + std::string(member)];
    }
    static std::string multipart(const Fields& fields, const std::string& file = {}) {
        std::string body;
        auto part = [&](const std::string& head, const std::string& text) {
            body += "--edge\r\nContent-Disposition: form-data; " + head + "\r\n\r\n" + text + "\r\n";
        };
        for (const auto& [name, value] : fields) part("name=\"" + name + "\"", value);
        if (!file.empty()) part("name=\"file\"; filename=\"a.png\"\r\nContent-Type: image/png", file);
        return body + "--edge--\r\n";
    }
    // The form of /compose with these in the place of what stands there.
    Answer compose(
        const std::string& path, Fields fields, const std::string& file = {}, const std::string& query = {}
    ) {
        auto page = browser.get("/compose" + query).body;
        for (const char* hidden : {"authenticity_token", "return_to", "idempotency_key", "in_reply_to_id"})
            if (auto value = field(page, hidden); !value.empty()) fields.emplace_back(hidden, value);
        w.changed();
        return browser.send(
            http::Method::post, path, multipart(fields, file), "multipart/form-data; boundary=edge"
        );
    }
    std::string newest(const Person& who) {
        return who.get("/api/v1/accounts/" + who.id + "/statuses")["0.id"];
    }
};
ON_EACH_DATABASE(PlainPages);

TEST_P(PlainPages, are_for_who_chose_them_and_is_signed_in) {
    auto page = browser.get("/home");
    EXPECT_EQ(page.status, 200);
    EXPECT_THAT(page.body, Not(HasSubstr("<script")));
    EXPECT_EQ(page.header("Cache-Control"), "private, no-store");
    EXPECT_THAT(page.header("Vary"), HasSubstr("Cookie"));
    EXPECT_THAT(page.header("Content-Security-Policy"), HasSubstr("form-action 'self'"));
    EXPECT_THAT(signed_in(alice, false).get("/home").body, HasSubstr("<script")) << "the client's";
    auto nobody = w.anonymous().with("Accept", "text/html").with("Cookie", "dunlin_plain=1");
    EXPECT_EQ(nobody.get("/home").header("Location"), "/auth/sign_in?return_to=%2Fhome");
    EXPECT_EQ(nobody.get("/@bob").status, 200) << "the page for everybody";
    auto lists = browser.get("/lists");
    EXPECT_THAT(lists.body, HasSubstr("<noscript>")) << "what only the client shows";
    EXPECT_EQ(lists.header("Cache-Control"), "private, no-store");
    EXPECT_THAT(browser.get("/explore").body, Not(HasSubstr("<script"))) << "what everybody sees";
}

TEST_P(PlainPages, are_chosen_and_left_by_links_of_ours) {
    auto come = [&](const std::string& path, const std::string& from, const std::string& site) {
        return signed_in(alice, false).with("Referer", from).with("Sec-Fetch-Site", site).get(path);
    };
    auto chosen = come("/plain/on", "http://localhost:3000/notifications?max_id=3", "same-origin");
    EXPECT_EQ(chosen.header("Location"), "/notifications?max_id=3");
    EXPECT_EQ(
        chosen.header("Set-Cookie"), "dunlin_plain=1; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000"
    );
    auto left = browser.get("/plain/off");
    EXPECT_EQ(left.header("Location"), "/home");
    EXPECT_EQ(left.header("Set-Cookie"), "dunlin_plain=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    auto lured = come("/plain/on", std::string(elsewhere) + "/", "cross-site");
    EXPECT_EQ(lured.header("Location"), "/home");
    EXPECT_EQ(lured.header("Set-Cookie"), "");
}

TEST_P(PlainPages, show_the_home_timeline_by_pages) {
    alice.follows(bob);
    auto carol = w.local("carol");
    auto boosted = carol.status("from far away");
    auto first = bob.status("first <words>");
    for (int i = 0; i < 20; ++i) bob.status("more of it");
    bob.reblogs(boosted);
    w.run_jobs();
    auto page = browser.get("/home");
    EXPECT_THAT(page.body, HasSubstr("from far away"));
    EXPECT_THAT(page.body, HasSubstr("Boosted by <a href=\"/@bob\">bob</a>"));
    EXPECT_THAT(page.body, HasSubstr("href=\"/@carol/" + boosted + "\"")) << "here, not elsewhere";
    EXPECT_THAT(page.body, Not(HasSubstr("first")));
    auto at = page.body.find("/home?max_id=");
    ASSERT_NE(at, page.body.npos);
    auto older = browser.get(page.body.substr(at, page.body.find('"', at) - at));
    EXPECT_THAT(older.body, HasSubstr("first &lt;words&gt;"));
    EXPECT_THAT(older.body, HasSubstr("id=\"post-" + first + "\""));
}

TEST_P(PlainPages, obey_filters) {
    alice.follows(bob);
    bob.status("the boat came");
    bob.status("the train came");
    auto filter = [&](const std::string& word, const std::string& action) {
        alice.post(
            "/api/v2/filters",
            {{"title", "About " + word},
             {"context[]", "home"},
             {"filter_action", action},
             {"keywords_attributes[][keyword]", word}}
        );
    };
    filter("boat", "hide");
    filter("train", "warn");
    w.run_jobs();
    auto page = browser.get("/home").body;
    EXPECT_THAT(page, Not(HasSubstr("the boat")));
    EXPECT_THAT(page, HasSubstr("<summary>About train</summary>"));
}

TEST_P(PlainPages, show_a_thread_by_forty_answers) {
    auto root = bob.status("the question");
    auto chosen = bob.answers(root, "@alice the post");
    std::string last;
    for (int i = 0; i < 42; ++i) last = bob.answers(chosen, "answer number " + std::to_string(i) + ".");
    auto page = browser.get("/@bob/" + chosen).body;
    EXPECT_THAT(page, HasSubstr("the question"));
    EXPECT_THAT(page, HasSubstr("answer number 39."));
    EXPECT_THAT(page, Not(HasSubstr("answer number 40.")));
    auto at = page.find("?after=");
    ASSERT_NE(at, page.npos);
    auto more = browser.get("/@bob/" + chosen + page.substr(at, page.find('"', at) - at)).body;
    EXPECT_THAT(more, HasSubstr("answer number 41."));
    EXPECT_THAT(more, Not(HasSubstr("answer number 39.")));
    auto secret = bob.status("for friends", {{"visibility", "private"}});
    EXPECT_EQ(browser.get("/@bob/" + secret).status, 404);
}

TEST_P(PlainPages, show_what_happened_and_who_asks_to_follow) {
    alice.patch("/api/v1/accounts/update_credentials", {{"locked", "true"}});
    auto post = alice.status("look", {{"visibility", "public"}});
    bob.favourites(post);
    bob.post("/api/v1/accounts/" + alice.id + "/follow");
    w.run_jobs();
    auto page = browser.get("/notifications").body;
    EXPECT_THAT(page, HasSubstr("Favourite of your post"));
    EXPECT_THAT(page, HasSubstr("Request to follow you"));
    EXPECT_THAT(page, HasSubstr("/plain/follow_requests/" + bob.id + "/authorize"));
    EXPECT_EQ(press("/plain/follow_requests/" + bob.id + "/authorize").status, 303);
    EXPECT_EQ(with_bob("followed_by"), "true");
}

TEST_P(PlainPages, show_a_profile_and_what_binds_one_to_it) {
    bob.patch(
        "/api/v1/accounts/update_credentials", {{"display_name", "Bob <b>"}, {"note", "I count birds"}}
    );
    bob.status("mine");
    auto page = browser.get("/@bob").body;
    EXPECT_THAT(page, HasSubstr("Bob &lt;b&gt;"));
    EXPECT_THAT(page, HasSubstr("I count birds"));
    EXPECT_THAT(page, HasSubstr("formaction=\"/plain/accounts/" + bob.id + "/follow\""));
    EXPECT_THAT(page, Not(HasSubstr("/delete\""))) << "of somebody else";
    alice.follows(bob);
    EXPECT_THAT(
        browser.get("/@bob").body, HasSubstr("formaction=\"/plain/accounts/" + bob.id + "/unfollow\"")
    );
    EXPECT_EQ(browser.get("/@nobody").status, 404);
    EXPECT_THAT(browser.get("/@alice").body, HasSubstr("/settings/account/profile"));
}

// ---- what their forms do ----

TEST_P(PlainPages, favourite_boost_and_bookmark_and_take_it_back) {
    auto post = bob.status("good");
    for (auto [word, member] :
         {std::pair<std::string, const char*>{"favourite", "favourited"},
          {"reblog", "reblogged"},
          {"bookmark", "bookmarked"}}) {
        auto done = press("/plain/statuses/" + post + "/" + word);
        EXPECT_EQ(done.status, 303) << word << done.body;
        EXPECT_EQ(done.header("Location"), "/home?max_id=9#post-1") << "where the form stood";
        EXPECT_EQ(state(post, member), "true") << word;
        EXPECT_EQ(press("/plain/statuses/" + post + "/un" + word).status, 303);
        EXPECT_EQ(state(post, member), "false") << word;
    }
}

TEST_P(PlainPages, follow_mute_and_block_and_take_it_back) {
    for (auto [word, member] :
         {std::pair<std::string, const char*>{"follow", "following"},
          {"mute", "muting"},
          {"block", "blocking"}}) {
        EXPECT_EQ(press("/plain/accounts/" + bob.id + "/" + word).status, 303) << word;
        EXPECT_EQ(with_bob(member), "true") << word;
        EXPECT_EQ(press("/plain/accounts/" + bob.id + "/un" + word).status, 303);
        EXPECT_EQ(with_bob(member), "false") << word;
    }
}

TEST_P(PlainPages, delete_ones_own_and_nothing_else) {
    auto mine = alice.status("mine"), his = bob.status("his");
    EXPECT_EQ(press("/plain/statuses/" + his + "/delete").status, 404);
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + his).status, 200);
    EXPECT_EQ(press("/plain/statuses/" + mine + "/delete").status, 303);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + mine).status, 404);
}

TEST_P(PlainPages, vote) {
    auto poll = bob.status(
        "Which?", {{"poll[options][]", "Boots"}, {"poll[options][]", "None"}, {"poll[expires_in]", "3600"}}
    );
    EXPECT_THAT(
        browser.get("/@bob/" + poll).body, HasSubstr("type=\"radio\" name=\"choices[]\" value=\"1\"")
    );
    EXPECT_EQ(press("/plain/polls/" + poll + "/votes", {{"choices[]", "1"}}).status, 303);
    EXPECT_EQ(bob.get("/api/v1/statuses/" + poll)["poll.options.1.votes_count"], "1");
    EXPECT_THAT(browser.get("/@bob/" + poll).body, Not(HasSubstr("choices[]"))) << "once is enough";
    EXPECT_EQ(press("/plain/polls/" + poll + "/votes", {{"choices[]", "0"}}).status, 422);
    EXPECT_EQ(w.changed(), "");
}

TEST_P(PlainPages, hide_from_a_reader_what_the_api_hides) {
    auto secret = bob.status("for friends", {{"visibility", "private"}});
    for (const char* word : {"favourite", "reblog", "bookmark"}) {
        EXPECT_EQ(press("/plain/statuses/" + secret + "/" + word).status, 404) << word;
        EXPECT_EQ(w.changed(), "") << word;
    }
    EXPECT_EQ(browser.get("/compose?in_reply_to_id=" + secret).status, 404);
}

std::vector<std::string> paths_of(const std::string& status, const std::string& account) {
    std::vector<std::string> out;
    for (auto slice : server::routes())
        for (const auto& route : slice) {
            std::string path(route.path);
            if (!path.starts_with("/plain/") || route.method != http::Method::post) continue;
            if (auto at = path.find(":id"); at != path.npos)
                path.replace(at, 3, path.find("accounts") != path.npos ? account : status);
            out.push_back(path);
        }
    return out;
}

TEST_P(PlainPages, take_no_form_but_their_own) {
    auto post = alice.status("look");
    auto paths = paths_of(post, bob.id);
    EXPECT_GE(paths.size(), 18u);
    for (const auto& path : paths) {
        Fields fields{{"status", "said by others"}, {"choices[]", "0"}, {"return_to", "/home"}};
        auto all = fields;
        all.emplace_back("authenticity_token", proof());
        w.changed();
        w.happened();
        EXPECT_EQ(browser.post(path, fields).status, 422) << path << ": without proof";
        auto wrong = fields;
        wrong.emplace_back("authenticity_token", "wrong");
        EXPECT_EQ(browser.post(path, wrong).status, 422) << path << ": a wrong proof";
        EXPECT_EQ(browser.with("Origin", std::string(elsewhere)).post(path, all).status, 422) << path;
        auto led = browser.with("Sec-Fetch-Site", "same-site").with("Sec-Fetch-Mode", "navigate");
        EXPECT_EQ(led.post(path, all).status, 422) << path;
        auto nobody = w.anonymous().with("Accept", "text/html").post(path, all);
        EXPECT_EQ(nobody.status, 302) << path;
        EXPECT_EQ(nobody.header("Location"), "/auth/sign_in?return_to=%2Fhome") << path;
        EXPECT_EQ(w.changed(), "") << path;
        EXPECT_EQ(w.happened(), "") << path;
    }
}

TEST_P(PlainPages, lead_back_to_nowhere_else) {
    auto post = bob.status("good");
    for (std::string place : {"https://evil.example/", "//evil.example", "/\\evil.example", ""}) {
        auto done = browser.post(
            "/plain/statuses/" + post + "/favourite", {{"authenticity_token", proof()}, {"return_to", place}}
        );
        EXPECT_EQ(done.header("Location"), "/home") << place;
    }
}

// Each has the limits of what it is another face of.
TEST(PlainRoutes, are_limited_as_the_api_is) {
    const auto find = [](http::Method method, const std::string& path) -> const http::Route* {
        for (auto slice : server::routes())
            for (const auto& route : slice)
                if (route.path == path && route.method == method) return &route;
        return nullptr;
    };
    const auto room = server::routes_making_room();
    int seen = 0;
    for (auto slice : server::routes())
        for (const auto& route : slice) {
            std::string path(route.path);
            if (!path.starts_with("/plain/") || route.method != http::Method::post) continue;
            path = "/api/v1" + path.substr(6);
            auto method = http::Method::post;
            if (path.ends_with("/delete")) {
                path.resize(path.size() - 7);
                method = http::Method::delete_;
            }
            if (path == "/api/v1/compose") path = "/api/v1/statuses";
            if (path == "/api/v1/media") path = "/api/v2/media";
            const auto* of_api = find(method, path);
            ASSERT_TRUE(of_api) << route.path;
            EXPECT_EQ(route.throttle, of_api->throttle) << route.path;
            bool on_full_disk = of_api->method == http::Method::delete_ || room.contains(of_api);
            EXPECT_EQ(room.contains(&route), on_full_disk) << route.path;
            ++seen;
        }
    EXPECT_EQ(seen, 18);
}

// ---- writing ----

TEST_P(PlainPages, publish) {
    auto done = compose(
        "/plain/compose",
        {{"status", "said without a script"}, {"spoiler_text", "Plain"}, {"visibility", "unlisted"}}
    );
    EXPECT_EQ(done.status, 303) << done.body;
    EXPECT_EQ(done.header("Location"), "/home");
    auto post = newest(alice);
    EXPECT_EQ(state(post, "spoiler_text"), "Plain");
    EXPECT_EQ(state(post, "visibility"), "unlisted");
    EXPECT_EQ(state(post, "application.name"), "Web");
}

TEST_P(PlainPages, answer) {
    auto carol = w.local("carol");
    auto heard = bob.status("@carol @alice which way?", {{"visibility", "direct"}, {"spoiler_text", "Way"}});
    auto page = browser.get("/compose?in_reply_to_id=" + heard).body;
    EXPECT_THAT(page, HasSubstr(">@bob @carol </textarea>"));
    EXPECT_THAT(page, HasSubstr("value=\"direct\" selected")) << "to nobody else";
    EXPECT_THAT(page, HasSubstr("name=\"spoiler_text\" value=\"Way\""));
    auto done = compose(
        "/plain/compose",
        {{"status", "@bob @carol that way"}, {"visibility", "direct"}},
        "",
        "?in_reply_to_id=" + heard
    );
    EXPECT_EQ(done.header("Location"), "/@bob/" + heard);
    EXPECT_EQ(state(newest(alice), "in_reply_to_id"), heard);
}

TEST_P(PlainPages, attach_first_and_keep_what_was_typed) {
    auto page = compose(
        "/plain/media", {{"status", "Look <here>"}, {"description", "A heron"}, {"options[]", "Yes"}}, "bytes"
    );
    EXPECT_EQ(page.status, 200) << page.body;
    EXPECT_THAT(page.body, HasSubstr("Look &lt;here&gt;"));
    EXPECT_THAT(page.body, HasSubstr("A heron"));
    EXPECT_THAT(page.body, HasSubstr("value=\"Yes\""));
    auto id = field(page.body, "media_ids[]");
    ASSERT_NE(id, "");
    EXPECT_EQ(newest(alice), "absent") << "nothing was published";
    auto done = compose("/plain/compose", {{"status", "Look"}, {"media_ids[]", id}});
    EXPECT_EQ(done.status, 303) << done.body;
    EXPECT_EQ(state(newest(alice), "media_attachments.0.description"), "A heron");
    // What is attached elsewhere already is refused by the change itself: the form comes again.
    auto again = compose("/plain/compose", {{"status", "Look & again"}, {"media_ids[]", id}});
    EXPECT_EQ(again.status, 422);
    EXPECT_THAT(again.body, HasSubstr("Look &amp; again"));
    EXPECT_THAT(again.body, HasSubstr("already attached"));
    EXPECT_EQ(w.changed(), "");
}

TEST_P(PlainPages, do_not_lose_a_file_unsaid) {
    auto page = compose("/plain/compose", {{"status", "with a file"}}, "bytes");
    EXPECT_EQ(page.status, 422);
    EXPECT_THAT(page.body, HasSubstr("has not been attached yet"));
    EXPECT_THAT(page.body, HasSubstr("with a file"));
    EXPECT_EQ(w.changed(), "");
    auto nothing = compose("/plain/media", {{"status", "no file"}});
    EXPECT_EQ(nothing.status, 422);
    EXPECT_THAT(nothing.body, HasSubstr("no file"));
    EXPECT_EQ(w.changed(), "");
}

TEST_P(PlainPages, say_on_top_and_beside_the_field_what_is_wrong) {
    auto page = compose("/plain/compose", {{"status", " "}, {"spoiler_text", ""}});
    EXPECT_EQ(page.status, 422);
    EXPECT_THAT(page.body, HasSubstr("role=\"alert\">Validation failed: Text can"));
    EXPECT_THAT(page.body, HasSubstr("id=\"status_problem\">Validation failed: Text can"));
    EXPECT_THAT(page.body, HasSubstr("aria-invalid=\"true\""));
    EXPECT_EQ(w.changed(), "");
    auto poll =
        compose("/plain/compose", {{"status", "Which?"}, {"options[]", "One"}, {"expires_in", "86400"}});
    EXPECT_EQ(poll.status, 422);
    EXPECT_THAT(poll.body, HasSubstr("id=\"poll_problem\""));
    EXPECT_THAT(poll.body, HasSubstr("value=\"One\""));
}

TEST_P(PlainPages, ask) {
    compose(
        "/plain/compose",
        {{"status", "Which?"},
         {"options[]", "One"},
         {"options[]", ""},
         {"options[]", "Two"},
         {"expires_in", "3600"},
         {"multiple", "1"}}
    );
    auto post = newest(alice);
    EXPECT_EQ(state(post, "poll.options.1.title"), "Two");
    EXPECT_EQ(state(post, "poll.multiple"), "true");
}

TEST_P(PlainPages, publish_once_what_is_sent_twice) {
    auto page = browser.get("/compose").body;
    Fields fields{{"status", "once"}};
    for (const char* hidden : {"authenticity_token", "return_to", "idempotency_key"})
        fields.emplace_back(hidden, field(page, hidden));
    for (int i = 0; i < 2; ++i)
        EXPECT_EQ(
            browser
                .send(
                    http::Method::post,
                    "/plain/compose",
                    multipart(fields),
                    "multipart/form-data; boundary=edge"
                )
                .status,
            303
        );
    EXPECT_EQ(alice.get("/api/v1/accounts/verify_credentials")["statuses_count"], "1");
}

}  // namespace

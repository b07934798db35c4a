// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/elsewhere.hpp"
#include "social/federation/sent.hpp"

#include "social/accounts/remote/resolve.hpp"
#include "social/accounts/restricting.hpp"
#include "social/federation/fetch/related_jobs.hpp"
#include "social/instance/domain_block.hpp"

#include <algorithm>

using namespace elsewhere;

const db::Query<std::string> test_inboxes_of{
    "test_inboxes_of",
    R"(SELECT x.inbox || ' ' || x.shared_inbox AS inboxes FROM actors x JOIN accounts a ON a.id = x.account_id
       WHERE a.username = $1)"
};

struct Resolving : OnEachWorld {
    Person alice = w.local("alice");

    Answer search(const std::string& q) {
        return alice.get("/api/v2/search", {{"q", q}, {"resolve", "true"}});
    }
    // Asked for by its address, nothing comes of it.
    void nothing(const std::string& url) {
        w.changed();
        auto found = search(url);
        EXPECT_EQ(found.status, 200);
        EXPECT_EQ(found["statuses"], "[]");
        EXPECT_EQ(found["accounts"], "[]");
        EXPECT_EQ(w.changed(), "") << url;
        EXPECT_EQ(w.happened(), "");
    }
};
ON_EACH_DATABASE(Resolving);

TEST_P(Resolving, finds_people_of_other_servers_by_their_handles) {
    person("bob");
    auto found = search("@bob@far.example");
    EXPECT_EQ(found["accounts.0.acct"], "bob@far.example");
    EXPECT_EQ(found["accounts.0.display_name"], "The bob");
    EXPECT_EQ(found["accounts.0.followers_count"], "12");
    EXPECT_EQ(search("bob@far.example")["accounts.0.id"], found["accounts.0.id"]);
    EXPECT_EQ(asked(far + "/users/bob"), 1);
    EXPECT_EQ(
        alice.get("/api/v1/accounts/search", {{"q", "bob@far.example"}, {"resolve", "true"}})["0.id"],
        found["accounts.0.id"]
    );
}

TEST_P(Resolving, asks_nobody_for_those_who_are_not_logged_in) {
    person("bob");
    EXPECT_EQ(
        w.anonymous().get("/api/v2/search", {{"q", "@bob@far.example"}, {"resolve", "true"}}).status, 401
    );
    EXPECT_TRUE(internet().asked.empty());
}

TEST_P(Resolving, finds_posts_by_their_ids_with_their_authors) {
    person("bob");
    serve(far + "/notes/1", note(far + "/notes/1", far + "/users/bob"));
    auto found = search(far + "/notes/1");
    EXPECT_EQ(found["statuses.0.content"], "<p>from afar</p>");
    EXPECT_EQ(found["statuses.0.account.acct"], "bob@far.example");
    EXPECT_EQ(found["statuses.0.created_at"], "2024-01-02T03:04:05.000Z");
    w.changed();
    EXPECT_EQ(search(far + "/notes/1")["statuses.0.id"], found["statuses.0.id"]);
    EXPECT_EQ(w.changed(), "");
}

inline std::string create_of(const std::string& id, const std::string& object) {
    return R"({"@context":"https://www.w3.org/ns/activitystreams","id":")" + id +
           R"(","type":"Create","actor":")" + far + R"(/users/bob","object":")" + object + "\"}";
}

TEST_P(Resolving, finds_posts_by_the_activity_that_made_them) {
    person("bob");
    auto post = far + "/notes/1", activity = post + "/activity";
    serve(activity, create_of(activity, post));
    serve(post, note(post, far + "/users/bob"));
    EXPECT_EQ(search(activity)["statuses.0.uri"], post);
    w.changed();
    EXPECT_EQ(search(activity)["statuses.0.uri"], post);
    EXPECT_EQ(asked(post), 1) << "it is known by then";
    EXPECT_EQ(w.changed(), "");
    w.happened();
    serve(activity + "2", create_of(activity + "2", activity + "2"));
    nothing(activity + "2");
}

TEST_P(Resolving, hides_what_is_attached_as_sensitive) {
    person("bob");
    auto sensitive = [&](const std::string& name, const std::string& said) {
        auto post = far + "/notes/" + name;
        auto more =
            R"(,"attachment":{"type":"Image","url":"https://far.example/a.png","sensitive":)" + said + "}";
        serve(post, note(post, far + "/users/bob", more));
        return search(post)["statuses.0.sensitive"];
    };
    EXPECT_EQ(sensitive("1", "true"), "true");
    EXPECT_EQ(sensitive("2", "false"), "false");
}

TEST_P(Resolving, follows_a_page_for_people_to_the_document_it_names) {
    person("bob");
    serve(far + "/notes/1", note(far + "/notes/1", far + "/users/bob"));
    serve(
        far + "/@bob/1",
        "<html><head><link rel=\"alternate\" type=\"application/activity+json\" href=\"" + far +
            "/notes/1\"></head>",
        "text/html; charset=utf-8"
    );
    EXPECT_EQ(search(far + "/@bob/1")["statuses.0.uri"], far + "/notes/1");
}

// How long a page full of them takes is looked at by tests/hostile (attack 70).
TEST_P(Resolving, finds_the_document_behind_tags_that_do_not_end) {
    std::string page;
    for (int i = 0; i < 1'000; ++i) page += "<linkttttt";
    page += "><link rel=\"alternate\" type=\"application/activity+json\" href=\"" + far + "/notes/1\">";
    person("bob");
    serve(far + "/notes/1", note(far + "/notes/1", far + "/users/bob"));
    serve(far + "/@bob/1", page, "text/html");
    EXPECT_EQ(search(far + "/@bob/1")["statuses.0.uri"], far + "/notes/1");
}

TEST_P(Resolving, attack_12_believes_an_id_only_where_it_is_at_home) {
    person("bob");
    serve("https://evil.example/copy", note(far + "/notes/1", far + "/users/bob", R"(,"summary":"forged")"));
    nothing("https://evil.example/copy");
    EXPECT_EQ(asked(far + "/notes/1"), 1);
    serve(far + "/notes/1", note(far + "/notes/1", far + "/users/bob"));
    EXPECT_EQ(search("https://evil.example/copy")["statuses.0.spoiler_text"], "");
}

TEST_P(Resolving, attack_13_refuses_posts_of_authors_of_other_hosts) {
    person("bob");
    serve("https://evil.example/1", note("https://evil.example/1", far + "/users/bob"));
    nothing("https://evil.example/1");
}

TEST_P(Resolving, attack_19_takes_no_upload_for_a_document) {
    person("bob");
    for (auto type :
         {"application/json", "text/html", "application/ld+json", "image/png", "text/plain", ""}) {
        serve(far + "/media/1", note(far + "/media/1", far + "/users/bob"), type);
        nothing(far + "/media/1");
    }
    serve(
        far + "/media/1",
        note(far + "/media/1", far + "/users/bob"),
        "application/ld+json; profile=\"https://www.w3.org/ns/activitystreams\""
    );
    EXPECT_EQ(search(far + "/media/1")["statuses.0.uri"], far + "/media/1");
}

TEST_P(Resolving, asks_for_one_type_alone_where_a_server_forgets_the_profile_of_the_other) {
    person("bob");
    auto url = far + "/notes/1";
    internet().pages[url] = [=](const base::Fetch& asked) {
        Fetched answer;
        answer.status = 200;
        answer.url = url;
        auto accepts = std::ranges::find(asked.headers, "Accept", &base::FetchHeader::name);
        bool other = accepts->value.find("ld+json") != std::string::npos;
        answer.headers = {{"content-type", other ? "application/ld+json" : "application/activity+json"}};
        answer.body = note(url, far + "/users/bob");
        return answer;
    };
    EXPECT_EQ(search(url)["statuses.0.uri"], url);
    EXPECT_EQ(asked(url), 2);
}

TEST_P(Resolving, attack_20_never_asks_this_site_over_the_network) {
    nothing("http://localhost:3000/ap/users/1/statuses/99");
    serve(
        far + "/1",
        note(
            "http://localhost:3000/ap/users/" + alice.id + "/statuses/7",
            "http://localhost:3000/ap/users/" + alice.id
        )
    );
    nothing(far + "/1");
    for (const auto& one : internet().asked) EXPECT_TRUE(one.url.starts_with(far)) << one.url;
}

TEST_P(Resolving, attack_21_gives_what_a_redirect_leads_to_to_the_host_that_answered) {
    person("bob");
    internet().pages[far + "/here"] = [](const base::Fetch&) {
        Fetched answer;
        answer.status = 200;
        answer.url = "https://evil.example/there";
        answer.headers = {{"content-type", activity_json}};
        answer.body = note(far + "/here", far + "/users/bob");
        return answer;
    };
    nothing(far + "/here");
}

TEST_P(Resolving, attack_22_wants_a_handle_confirmed_by_its_own_domain) {
    serve(far + "/users/bob", actor("bob"));
    nothing(far + "/users/bob");
    serve(webfinger_url("bob@far.example"), webfinger("bob@far.example", far + "/users/other"));
    nothing(far + "/users/bob");
    serve(webfinger_url("bob@far.example"), webfinger("carol@far.example", far + "/users/bob"));
    nothing("@bob@far.example");
    serve(webfinger_url("bob@good.example"), webfinger("bob@good.example", far + "/users/bob"));
    nothing("@bob@good.example");
    person("bob");
    EXPECT_EQ(search(far + "/users/bob")["accounts.0.acct"], "bob@far.example");
}

TEST_P(Resolving, attack_27_asks_no_blocked_domain_and_none_below_it) {
    w.write([](db::Write& db) {
        instance::put_domain_block(db, {"far.example", instance::Severity::suspend});
    });
    w.happened();
    person("bob");
    for (const std::string url :
         {"https://far.example/notes/1",
          "https://FAR.example/notes/1",
          "https://far.example./notes/1",
          "https://sub.far.example/notes/1",
          "https://far.example:443/notes/1",
          "https://user@far.example/notes/1"})
        nothing(url);
    nothing("@bob@far.example");
    nothing("@bob@FAR.example");
    EXPECT_TRUE(internet().asked.empty());
}

TEST_P(Resolving, attack_63_66_survives_documents_that_are_not_what_they_seem) {
    person("bob");
    auto url = far + "/notes/1";
    std::string deep = R"({"@context":"https://www.w3.org/ns/activitystreams","id":")" + url + R"(","x":)";
    for (const std::string& body :
         {std::string("{"),
          std::string("[]"),
          std::string("null"),
          std::string(R"({"id":")" + url + R"(","type":"Note"})"),
          deep + std::string(100'000, '[') + std::string(100'000, ']') + "}",
          note(url, far + "/users/bob", R"(,"pad":")" + std::string((1 << 20) + 1, 'x') + "\""),
          note(url, "javascript:alert(1)"),
          std::string(
              R"({"@context":"https://www.w3.org/ns/activitystreams","id":")" + url +
              R"(","type":"Tombstone"})"
          )}) {
        serve(url, body);
        nothing(url);
    }
}

TEST_P(Resolving, attack_68_ends_after_an_id_that_names_another_that_names_another) {
    serve(far + "/1", note(far + "/2", far + "/users/bob"));
    serve(far + "/2", note(far + "/1", far + "/users/bob"));
    nothing(far + "/1");
    EXPECT_LE(internet().asked.size(), 6u);
}

TEST_P(Resolving, attack_66_fetches_what_a_post_answers_up_to_a_depth) {
    person("bob");
    for (int i = 0; i < 300; ++i)
        serve(
            far + "/notes/" + std::to_string(i),
            note(
                far + "/notes/" + std::to_string(i),
                far + "/users/bob",
                R"(,"inReplyTo":")" + far + "/notes/" + std::to_string(i + 1) + "\""
            )
        );
    auto id = search(far + "/notes/0")["statuses.0.id"];
    w.changed();
    w.run_jobs();
    auto ancestors = alice.get("/api/v1/statuses/" + id + "/context");
    EXPECT_EQ(ancestors["ancestors.99.content"], "<p>from afar</p>");
    EXPECT_EQ(ancestors["ancestors.100.content"], "absent");
    EXPECT_EQ(asked(far + "/notes/101"), 0);
}

// Else an actor whose pins are by others with pins, and so on, would be read without end.
TEST_P(Resolving, attack_67_reads_what_is_pinned_by_whom_somebody_wanted_alone) {
    const auto list_of = [](const std::string& name) { return far + "/users/" + name + "/featured"; };
    for (const std::string name : {"bob", "carol", "dave"}) {
        person(name, R"(,"featured":")" + list_of(name) + "\"");
        serve(
            list_of(name),
            R"({"@context":"https://www.w3.org/ns/activitystreams","type":"OrderedCollection","id":")" +
                list_of(name) + R"(","orderedItems":[")" + far + R"(/notes/by-carol",")" + far +
                "/notes/by-" + name + "\"]}"
        );
    }
    const auto outbox = far + "/users/dave/outbox";
    serve(
        outbox,
        R"({"@context":"https://www.w3.org/ns/activitystreams","type":"OrderedCollection","id":")" + outbox +
            R"(","orderedItems":[]})"
    );
    serve(far + "/notes/by-carol", note(far + "/notes/by-carol", far + "/users/carol"));
    serve(far + "/notes/by-dave", note(far + "/notes/by-dave", far + "/users/dave"));
    const auto answer = R"(,"inReplyTo":")" + far + "/notes/by-dave\"";
    serve(far + "/notes/by-bob", note(far + "/notes/by-bob", far + "/users/bob", answer));
    const auto bob = search("@bob@far.example")["accounts.0.id"];
    w.run_jobs();
    const auto pinned = [&](const std::string& id) {
        return alice.get("/api/v1/accounts/" + id + "/statuses", {{"pinned", "true"}}).all("uri");
    };
    EXPECT_EQ(pinned(bob), std::vector<std::string>{far + "/notes/by-bob"});
    EXPECT_EQ(asked(far + "/users/carol"), 0) << "what she wrote is not his to pin";
    EXPECT_EQ(asked(far + "/users/dave"), 1);
    EXPECT_EQ(asked(list_of("dave")), 0) << "nobody wanted him, but what was answered";
    const auto dave = alice.get("/api/v1/accounts/lookup", {{"acct", "dave@far.example"}}).id();
    const auto number = [](const std::string& id) { return base::AccountId{std::stoll(id)}; };
    w.write([&](db::Write& db) { federation::want_profile(db, {{}, number(alice.id), number(dave)}); });
    w.run_jobs();
    EXPECT_EQ(pinned(dave), std::vector<std::string>{far + "/notes/by-dave"});
}

// WordPress.com has those of all blogs on one host.
TEST_P(Resolving, takes_the_inbox_that_an_actor_has_on_another_host) {
    w.write([](db::Write& db) {
        instance::put_domain_block(db, {"blocked.example", instance::Severity::suspend});
    });
    struct Case {
        std::string name, inbox, shared, kept;
    };
    const std::string elsewhere = "https://api.example/inbox", own = far + "/users/own/inbox";
    for (const auto& one : std::vector<Case>{
             {"blog", elsewhere, "", elsewhere + " "},
             {"shared", elsewhere, "https://api.example/shared", elsewhere + " https://api.example/shared"},
             {"half", elsewhere, far + "/shared", elsewhere + " " + far + "/shared"},
             {"own", own, "https://third.example/shared", own + " "},
             {"ours", "http://localhost:3000/inbox", "http://localhost:3000/inbox", " "},
             {"blocked", "https://sub.blocked.example/inbox", "https://sub.blocked.example/shared", " "},
         }) {
        person(one.name);
        auto document = actor(one.name);
        const auto usual = far + "/users/" + one.name + "/inbox\"";
        document.replace(
            document.find(usual), usual.size(), one.inbox + R"(","sharedInbox":")" + one.shared + "\""
        );
        serve(far + "/users/" + one.name, document);
        const auto id = search("@" + one.name + "@far.example")["accounts.0.id"];
        EXPECT_EQ(w.read([&](db::Read& db) { return db.one(test_inboxes_of, one.name); }), one.kept);
        if (one.name != "blog") continue;
        EXPECT_EQ(alice.post("/api/v1/accounts/" + id + "/follow").status, 200);
        EXPECT_EQ(sent_lines(w), std::vector<std::string>{"Follow api.example/inbox"});
    }
}

TEST_P(Resolving, attack_71_asks_for_a_few_of_many_whom_a_post_names) {
    person("bob");
    std::string tags;
    for (int i = 0; i < 1000; ++i)
        tags += (i ? "," : "") +
                (R"({"type":"Mention","href":"https://h)" + std::to_string(i) + R"(.example/u"})");
    serve(far + "/notes/1", note(far + "/notes/1", far + "/users/bob", R"(,"tag":[)" + tags + "]"));
    EXPECT_EQ(search(far + "/notes/1")["statuses.0.uri"], far + "/notes/1");
    EXPECT_LE(internet().asked.size(), 20u);
}

TEST_P(Resolving, forgets_what_its_server_says_is_gone_and_nothing_else) {
    person("bob");
    serve(far + "/notes/1", note(far + "/notes/1", far + "/users/bob"));
    auto status = search(far + "/notes/1")["statuses.0.id"];
    auto again = [&](const std::string& what) {
        w.reactions();
        auto bob = alice.get("/api/v1/accounts/lookup", {{"acct", "bob@far.example"}}).id();
        w.write([&](db::Write& db) { db.emit(federation::ActorStale{base::AccountId{std::stoll(bob)}}); });
        w.run_jobs();
        return what;
    };
    for (int code : {500, 403, 404}) {
        refuse(far + "/users/bob", code);
        again("");
        EXPECT_EQ(alice.get("/api/v1/statuses/" + status).status, 200) << code;
    }
    refuse(far + "/users/bob", 410);
    again("");
    w.run_jobs();
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status).status, 404);
}

TEST_P(Resolving, leaves_those_alone_whom_the_team_suspended) {
    person("bob");
    auto id = base::AccountId{std::stoll(search("@bob@far.example")["accounts.0.id"])};
    auto name = [&] { return w.read([&](db::Read& db) { return accounts::account(db, id).display_name; }); };
    // Gone, then suspended: their server cannot undo that.
    w.write([&](db::Write& db) { accounts::delete_remote(db, id); });
    w.write([&](db::Write& db) { accounts::suspend(db, id); });
    w.run_jobs();
    for (const char* by : {"@bob@far.example", "https://far.example/users/bob"}) search(by);
    EXPECT_EQ(name(), "");
    EXPECT_TRUE(w.read([&](db::Read& db) { return accounts::account(db, id).suspended_at.has_value(); }));
    EXPECT_FALSE(w.read([&](db::Read& db) { return accounts::is_gone(db, id); }));
}

TEST_P(Resolving, finds_those_again_who_were_gone_and_are_back) {
    int posts = 0;
    for (const char* by : {"@bob@far.example", "https://far.example/users/bob"}) {
        person("bob");
        auto id = search(by)["accounts.0.id"];
        EXPECT_NE(id, "absent");
        w.write([&](db::Write& db) { accounts::delete_remote(db, base::AccountId{std::stoll(id)}); });
        w.run_jobs();
        refuse(far + "/users/bob", 410);
        EXPECT_EQ(search(by)["accounts"], "[]");
        person("bob");
        auto back = search(by);
        EXPECT_EQ(back["accounts.0.id"], id);
        EXPECT_EQ(back["accounts.0.display_name"], "The bob");
        const auto post = far + "/notes/" + std::to_string(++posts);
        serve(post, note(post, far + "/users/bob"));
        EXPECT_EQ(search(post)["statuses.0.account.display_name"], "The bob");
    }
}

TEST_P(Resolving, knows_those_whom_a_new_post_names) {
    person("bob");
    auto made = alice.post("/api/v1/statuses", {{"status", "hello @bob@far.example"}});
    EXPECT_EQ(made["mentions.0.acct"], "bob@far.example");
    EXPECT_EQ(
        alice.post("/api/v1/statuses", {{"status", "hello @nobody@far.example"}})["mentions.0"], "absent"
    );
}

TEST_P(Resolving, attack_76_shows_pictures_of_other_servers_under_its_own_address_to_whom_it_told_it) {
    person("bob", R"(,"icon":{"type":"Image","url":"https://files.far.example/bob.png"})");
    auto avatar = search("@bob@far.example")["accounts.0.avatar"];
    media::Stored made;
    made.file = "media/ab/abcd.png";
    made.preview = "media/ab/abcd_small.png";
    internet().pictures["https://files.far.example/bob.png"] = made;
    auto path = avatar.substr(std::string("http://localhost:3000").size());
    auto shown = w.anonymous().get(path);
    EXPECT_EQ(shown.status, 302);
    EXPECT_EQ(shown.header("Location"), "http://localhost:3000/media/media/ab/abcd.png");
    EXPECT_EQ(w.anonymous().get(path.substr(0, path.find('?'))).status, 400);
    EXPECT_EQ(w.anonymous().get(path + "0").status, 404);
    EXPECT_EQ(w.anonymous().get("/proxy/avatars/" + alice.id + "?v=1").status, 404);
}

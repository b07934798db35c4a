// SPDX-License-Identifier: AGPL-3.0-or-later
// The addresses of the web client, with a client of a few made-up files.
#include "server/web/client.hpp"
#include "social/oauth/stage.hpp"

namespace {

using namespace oauth_test;
using http::Method;

constexpr const char* table = R"({
  "entry": "main.js", "style": "main.css",
  "languages": {"en": ["core.en.js"], "de": ["core.de.js"], "ar": ["core.ar.js"]},
  "routes": [
    {"path": "/home", "files": ["home.js"], "first": ["/api/v1/timelines/home?limit=20", "/api/v1/lists/9"]},
    {"path": "/@:acct/:id", "files": [], "first": ["/api/v1/statuses/:id"]},
    {"path": "/@:acct", "files": ["profile.js"], "first": ["/api/v1/accounts/lookup?acct=:acct"]}
  ]
})";

const base::EmbeddedFile files[] = {
    {"web/client/dist/core.en.js", "1"},
    {"web/client/dist/main.css", "body {}"},
    {"web/client/dist/main.js", "main()"},
    {"web/client/dist/main.js.br", "smaller"},
    {"web/client/dist/main.js.gz", "small"},
    {"web/client/dist/routes.json", table},
    {"web/client/dist/sw.js", "work()"},
    {"web/templates/root.html", "of another kind"},
};

struct WithClient {
    WithClient() { server::use_client(server::Client(files)); }
};

struct ClientPages : WithClient, Stage {
    ~ClientPages() override { server::use_client(server::Client(base::embedded_files())); }
    base::UserId alice = user("alice", accounts::owner);

    http::Response browse(
        const std::string& target, const std::string& cookie = "", http::Headers more = {}
    ) {
        more.emplace_back("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
        if (!cookie.empty()) more.emplace_back("Cookie", "dunlin_session=" + cookie);
        return send(Method::get, target, "", std::move(more));
    }
    std::string begin(base::UserId who) {
        return write([&](db::Write& db) { return oauth::begin_session(db, who, "", ""); });
    }
    static boost::json::value start_in(const std::string& html) {
        constexpr std::string_view mark = "id=\"start\">";
        auto at = html.find(mark);
        if (at == html.npos) return {};
        auto rest = std::string_view(html).substr(at + mark.size());
        return boost::json::parse(rest.substr(0, rest.find("</script>")));
    }
};
ON_EACH_DATABASE(ClientPages);

TEST_P(ClientPages, are_the_clients_for_whoever_is_signed_in) {
    auto secret = begin(alice);
    auto page = browse("/home", secret);
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(header(page, "Cache-Control"), "private, no-store");
    EXPECT_EQ(header(page, "Cross-Origin-Opener-Policy"), "same-origin");
    auto policy = header(page, "Content-Security-Policy");
    EXPECT_NE(policy.find("script-src 'self';"), policy.npos);
    EXPECT_NE(policy.find("require-trusted-types-for 'script'"), policy.npos);
    auto version = server::client().version();
    EXPECT_EQ(version.size(), 12u);
    for (auto file : {"home.js", "core.en.js", "main.js", "main.css"})
        EXPECT_NE(page.body.find("\"/web/" + version + "/" + file + "\""), std::string::npos) << file;
    auto start = start_in(page.body);
    EXPECT_EQ(text(start.at("me"), "username"), "alice");
    EXPECT_TRUE(start.at("answers").at("/api/v1/timelines/home?limit=20").at("body").is_array());
    EXPECT_FALSE(start.at("answers").as_object().contains("/api/v1/lists/9"));
    EXPECT_EQ(start.at("accounts").as_array().size(), 1u);
    // What it says is what the API takes.
    auto proof = text(start, "proof");
    EXPECT_NE(page.body.find("content=\"Session " + proof + "\""), std::string::npos);
    auto me = send(
        Method::get,
        "/api/v1/accounts/verify_credentials",
        "",
        {{"Cookie", "dunlin_session=" + secret}, {"Authorization", "Session " + proof}}
    );
    EXPECT_EQ(me.status, 200);
}

TEST_P(ClientPages, leave_feeds_to_the_server) {
    auto secret = begin(alice);
    EXPECT_NE(browse("/@alice", secret).body.find("id=\"app\""), std::string::npos);
    for (const auto* kind : {"rss", "atom"}) {
        auto feed = browse("/@alice." + std::string(kind), secret);
        EXPECT_EQ(feed.status, 200);
        EXPECT_NE(feed.content_type.find(kind), std::string::npos) << feed.content_type;
    }
}

TEST_P(ClientPages, fill_in_what_the_address_names) {
    auto secret = begin(alice);
    auto start = start_in(browse("/@alice", secret).body);
    auto& found = start.at("answers").at("/api/v1/accounts/lookup?acct=alice").at("body");
    EXPECT_EQ(text(found, "username"), "alice");
}

TEST_P(ClientPages, hold_nothing_that_ends_their_script) {
    auto secret = begin(alice);
    write([&](db::Write& db) {
        oauth::save_web_settings(db, alice, R"({"a":"</script><script>alert(1)</script><!--"})");
    });
    auto page = browse("/home", secret);
    EXPECT_EQ(page.body.find("alert(1)</"), std::string::npos);
    EXPECT_EQ(text(start_in(page.body).at("settings"), "a"), "</script><script>alert(1)</script><!--");
}

TEST_P(ClientPages, lead_others_to_the_sign_in_or_show_the_page_of_the_server) {
    auto home = browse("/home?x=1");
    EXPECT_EQ(home.status, 302);
    EXPECT_EQ(header(home, "Location"), "/auth/sign_in?return_to=%2Fhome%3Fx%3D1");
    auto profile = browse("/@alice");
    EXPECT_EQ(profile.status, 200);
    EXPECT_EQ(profile.body.find("id=\"app\""), std::string::npos);
    EXPECT_EQ(header(profile, "Vary"), "Accept, Cookie, Accept-Language, Accept-Encoding");
    EXPECT_EQ(browse("/@alice", "x").body, profile.body);
    EXPECT_EQ(browse("/@alice", base::random_token()).body, profile.body);
    EXPECT_EQ(browse("/").status, 200);
    EXPECT_EQ(header(browse("/", begin(alice)), "Location"), "/home");
}

TEST_P(ClientPages, are_none_for_programs) {
    auto secret = begin(alice);
    for (auto accept : {"application/activity+json", "application/json", "*/*"}) {
        auto answer =
            send(Method::get, "/home", "", {{"Accept", accept}, {"Cookie", "dunlin_session=" + secret}});
        EXPECT_EQ(answer.status, 302) << accept;
    }
}

TEST_P(ClientPages, start_without_a_page_for_scripts_of_ours_alone) {
    auto secret = begin(alice);
    auto ask = [&](const std::string& cookie, const std::string& from) {
        http::Headers headers{{"Cookie", "dunlin_session=" + cookie}};
        if (!from.empty()) headers.emplace_back("Sec-Fetch-Site", from);
        return send(Method::get, "/web/start?for=%2Fhome", "", headers);
    };
    auto answer = ask(secret, "same-origin");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(header(answer, "Cross-Origin-Resource-Policy"), "same-origin");
    EXPECT_EQ(header(answer, "Cache-Control"), "private, no-store");
    EXPECT_EQ(header(answer, "Access-Control-Allow-Origin"), "");
    auto start = boost::json::parse(answer.body);
    EXPECT_TRUE(start.at("answers").as_object().contains("/api/v1/timelines/home?limit=20"));
    EXPECT_EQ(ask(secret, "").status, 200);
    EXPECT_EQ(ask("x", "same-origin").status, 401);
    for (auto from : {"same-site", "cross-site", "none"}) EXPECT_EQ(ask(secret, from).status, 403) << from;
}

TEST_P(ClientPages, tell_pages_of_others_nothing_of_who_is_signed_in) {
    auto secret = begin(alice);
    auto loaded = [&](const std::string& path,
                      const std::string& cookie,
                      const std::string& from,
                      const std::string& mode) {
        return browse(path, cookie, {{"Sec-Fetch-Site", from}, {"Sec-Fetch-Mode", mode}});
    };
    for (auto path : {"/home", "/", "/@alice", "/settings/account", "/auth/sign_in"})
        for (auto from : {"same-site", "cross-site"})
            for (auto mode : {"no-cors", "cors", "websocket"}) {
                SCOPED_TRACE(std::string(path) + " " + from + " " + mode);
                auto known = loaded(path, secret, from, mode), nobody = loaded(path, "", from, mode);
                EXPECT_EQ(known.status, nobody.status);
                EXPECT_EQ(header(known, "Location"), header(nobody, "Location"));
                EXPECT_EQ(header(known, "Cache-Control"), header(nobody, "Cache-Control"));
                EXPECT_EQ(known.body.size(), nobody.body.size());
                EXPECT_EQ(known.body.find("id=\"app\""), std::string::npos);
            }
    EXPECT_EQ(header(loaded("/@alice", secret, "same-site", "no-cors"), "Cache-Control"), "no-store");
    // A link of theirs leads to one's own pages, whose window they lose in either case.
    auto opened = loaded("/home", secret, "cross-site", "navigate");
    EXPECT_NE(opened.body.find("id=\"app\""), std::string::npos);
    for (auto path : {"/home", "/@alice", "/", "/auth/sign_in"})
        EXPECT_EQ(header(browse(path), "Cross-Origin-Opener-Policy"), "same-origin") << path;
    auto in_an_app = browse("/auth/sign_in?return_to=%2Foauth%2Fauthorize%3Fclient_id%3Dx");
    EXPECT_EQ(header(in_an_app, "Cross-Origin-Opener-Policy"), "")
        << "apps wait for the window that they opened";
}

TEST_P(ClientPages, have_a_shell_of_nobody) {
    auto shell = browse("/web/shell", begin(alice));
    EXPECT_EQ(shell.status, 200);
    EXPECT_EQ(shell.body.find("dunlin-authorization"), std::string::npos);
    EXPECT_EQ(shell.body.find("id=\"start\""), std::string::npos);
    EXPECT_EQ(header(shell, "Cache-Control"), "no-cache");
    auto etag = header(shell, "ETag");
    EXPECT_EQ(browse("/web/shell", "", {{"If-None-Match", etag}}).status, 304);
}

TEST_P(ClientPages, speak_the_language_of_the_person) {
    auto shell = browse("/web/shell", "", {{"Accept-Language", "ar-EG,en;q=0.5"}});
    EXPECT_NE(shell.body.find("<html lang=\"ar\" dir=\"rtl\">"), std::string::npos);
    EXPECT_NE(shell.body.find("core.ar.js"), std::string::npos);
}

TEST_P(ClientPages, come_with_a_manifest_and_a_worker) {
    auto manifest = boost::json::parse(browse("/manifest.webmanifest").body);
    EXPECT_EQ(text(manifest.at("share_target"), "action"), "/share");
    auto worker = browse("/sw.js");
    EXPECT_TRUE(worker.content_type.starts_with("text/javascript"));
    EXPECT_TRUE(worker.body.starts_with("self.dunlin = {\"version\":\"" + server::client().version()));
    EXPECT_TRUE(worker.body.ends_with("work()"));
    server::use_client({});
    EXPECT_NE(browse("/sw.js").body.find("unregister"), std::string::npos);
    EXPECT_EQ(browse("/web/shell").status, 404);
}

TEST(ClientFiles, are_served_by_version_in_the_form_that_is_taken) {
    server::Client client(files);
    auto get = [&](const std::string& path, const std::string& encodings = "") {
        http::Request request;
        request.headers = {{"Accept-Encoding", encodings}};
        return client.file(request, path);
    };
    auto main = client.version() + "/main.js";
    EXPECT_EQ(get(main).body, "main()");
    EXPECT_EQ(get(main, "gzip, deflate, br").body, "smaller");
    EXPECT_EQ(get(main, "gzip").body, "small");
    EXPECT_EQ(get(main, "br;q=0, gzip;q=0.5").body, "small");
    EXPECT_EQ(get(main, "gzip").header("Content-Encoding"), "gzip");
    EXPECT_EQ(get(main).header("Vary"), "Accept-Encoding");
    EXPECT_EQ(get(main).header("Cache-Control"), "public, max-age=31536000, immutable");
    EXPECT_EQ(get("000000000000/main.js").status, 404);
    EXPECT_EQ(get(client.version() + "/nothing.js").status, 404);
    EXPECT_EQ(get(client.version() + "/../main.js").status, 404);
}

TEST(ClientFiles, find_the_route_that_shows_a_path) {
    server::Client client(files);
    auto path_of = [&](std::string_view path) {
        auto match = client.find(path);
        return match.route ? match.route->path : "";
    };
    EXPECT_EQ(path_of("/home"), "/home");
    EXPECT_EQ(path_of("/home/"), "/home");
    EXPECT_EQ(path_of("/@alice/1"), "/@:acct/:id");
    EXPECT_EQ(path_of("/%40alice@example.org"), "/@:acct");
    for (auto other : {"", "/", "/homes", "/home/x", "/alice", "/@", "/@alice/1/2", "//home"})
        EXPECT_EQ(path_of(other), "") << other;
    EXPECT_EQ(client.find("/@alice/1").parameters.at(0).second, "alice");
}

}  // namespace

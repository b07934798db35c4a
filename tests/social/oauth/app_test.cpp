// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/app.hpp"

#include "social/oauth/stage.hpp"

namespace {

using namespace oauth_test;

struct Apps : Stage {};
ON_EACH_DATABASE(Apps);

TEST(RedirectUris, are_absolute_and_harmless) {
    for (auto good :
         {"https://app.example/cb",
          "http://localhost:8080/cb?x=1",
          "urn:ietf:wg:oauth:2.0:oob",
          "myapp://oauth",
          "com.example.app:/cb",
          "https://[::1]:3000/",
          "mastodon-ios:cb"})
        EXPECT_TRUE(oauth::may_redirect_to(good)) << good;
    for (auto bad :
         {"",
          "/cb",
          "app.example/cb",
          "javascript:alert(1)",
          "JavaScript:alert(1)",
          "data:text/html,x",
          "vbscript:x",
          "https://app.example/cb#frag",
          "https:///cb",
          "https://a;b/",
          "https://user@app.example/",
          "https://app.example/\ncb",
          "my app://x",
          "https://app.example/\"",
          "myapp:",
          "1app://x",
          "file:///etc"})
        EXPECT_FALSE(oauth::may_redirect_to(bad)) << bad;
}

TEST(Websites, are_any_address_of_the_web) {
    for (auto good :
         {"https://app.example",
          "http://localhost:8080/",
          "https://app.example/x#readme",
          "https://exämple.org/ü",
          "https://例え.jp",
          "HTTPS://App.Example?a=b#c",
          "https://[::1]/"})
        EXPECT_TRUE(oauth::is_website(good)) << good;
    for (auto bad :
         {"",
          "app.example",
          "https:app.example",
          "https://",
          "https:///x",
          "https://#x",
          "https://:80/",
          "ftp://app.example",
          "javascript://app.example/%0aalert(1)",
          "https://app.example@other.example/",
          "https://app.example\\@other.example/",
          "https://app.example/a b",
          "https://app.example/a\u3000b",
          "https://app.example/\n",
          "https://app.example/\x7f",
          "https://app.example/\xff"})
        EXPECT_FALSE(oauth::is_website(bad)) << bad;
}

TEST(ScopeLists, keep_their_order_and_know_their_words) {
    EXPECT_EQ(oauth::normal_scopes("write read write:media read"), "write read write:media");
    EXPECT_EQ(oauth::normal_scopes("  "), "read");
    EXPECT_EQ(oauth::normal_scopes("read everything"), std::nullopt);
    EXPECT_TRUE(oauth::includes("read write", "write"));
    EXPECT_FALSE(oauth::includes("read write", "write:media"));
}

TEST_P(Apps, are_registered_and_shown_without_their_secret) {
    auto response = post(
        "/api/v1/apps",
        {{"client_name", "Phone"},
         {"redirect_uris", "https://a.example/cb\nurn:ietf:wg:oauth:2.0:oob"},
         {"scopes", "read write"},
         {"website", "https://ä.example/#apps"}}
    );
    ASSERT_EQ(response.status, 200) << response.body;
    auto made = boost::json::parse(response.body).as_object();
    auto id = std::string(made["client_id"].as_string()),
         secret = std::string(made["client_secret"].as_string());
    EXPECT_EQ(id.size(), 43u);
    EXPECT_EQ(secret.size(), 43u);
    EXPECT_EQ(std::string(made["vapid_key"].as_string()).size(), 88u);
    for (auto name : {"id", "client_id", "client_secret", "vapid_key"}) made.erase(name);
    EXPECT_EQ(
        boost::json::value(made),
        boost::json::parse(
            R"({"name":"Phone","website":"https://ä.example/#apps","scopes":["read","write"],)"
            R"("redirect_uris":["https://a.example/cb","urn:ietf:wg:oauth:2.0:oob"],)"
            R"("redirect_uri":"https://a.example/cb\nurn:ietf:wg:oauth:2.0:oob","client_secret_expires_at":0})"
        )
    );
    read([&](db::Read& db) {
        auto app = oauth::find_app(db, id);
        ASSERT_TRUE(app);
        EXPECT_TRUE(oauth::is_secret_of(*app, secret));
        EXPECT_FALSE(oauth::is_secret_of(*app, ""));
        EXPECT_EQ(app->secret_hash.find(secret), std::string::npos);
    });
    auto token = text(
        boost::json::parse(
            post(
                "/oauth/token",
                {{"grant_type", "client_credentials"}, {"client_id", id}, {"client_secret", secret}}
            ).body
        ),
        "access_token"
    );
    auto shown = boost::json::parse(get("/api/v1/apps/verify_credentials", token).body).as_object();
    EXPECT_EQ(shown["name"], "Phone");
    EXPECT_FALSE(shown.contains("client_secret"));
}

TEST_P(Apps, that_say_nonsense_are_refused) {
    const Fields cases[] = {
        {{"redirect_uris", "https://a.example"}},
        {{"client_name", "x"}},
        {{"client_name", "x"}, {"redirect_uris", "/relative"}},
        {{"client_name", "x"}, {"redirect_uris", "javascript:alert(1)"}},
        {{"client_name", "x"}, {"redirect_uris", "https://a.example"}, {"scopes", "read cake"}},
        {{"client_name", "x"}, {"redirect_uris", "https://a.example"}, {"website", "ftp://x"}},
        {{"client_name", std::string(61, 'x')}, {"redirect_uris", "https://a.example"}},
        {{"client_name", "x"}, {"redirect_uris", "https://a.example/" + std::string(2000, 'x')}},
        {{"client_name", "x"},
         {"redirect_uris", "https://a.example"},
         {"website", "https://a.example/" + std::string(100'000, 'x')}},
    };
    for (const auto& fields : cases) {
        auto response = post("/api/v1/apps", fields);
        EXPECT_EQ(response.status, 422) << form(fields).substr(0, 200);
        EXPECT_TRUE(response.body.starts_with(R"({"error":"Validation failed: )")) << response.body;
    }
}

TEST_P(Apps, may_give_redirects_as_a_list_and_a_list_of_scopes_is_ignored) {
    auto response = send(
        http::Method::post,
        "/api/v1/apps",
        R"({"client_name":"x","redirect_uris":["https://a.example","https://b.example"],"scopes":["write"]})",
        {{"Content-Type", "application/json"}}
    );
    auto made = boost::json::parse(response.body);
    EXPECT_EQ(
        boost::json::serialize(made.at("redirect_uris")), R"(["https://a.example","https://b.example"])"
    );
    EXPECT_EQ(boost::json::serialize(made.at("scopes")), R"(["read"])");
}

TEST_P(Apps, can_be_registered_while_anonymous_access_is_off) {
    site.restricted = true;
    EXPECT_EQ(
        post("/api/v1/apps", {{"client_name", "x"}, {"redirect_uris", "https://a.example"}}).status, 200
    );
    EXPECT_EQ(get("/.well-known/oauth-authorization-server").status, 200);
}

}  // namespace

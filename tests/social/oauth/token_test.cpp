// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/token.hpp"

#include "social/oauth/code.hpp"
#include "social/oauth/stage.hpp"

namespace {

using namespace oauth_test;

const db::Query<std::int64_t> live_tokens{
    "test_live_tokens", "SELECT COUNT(*) FROM tokens WHERE revoked_at IS NULL"
};
const db::Query<std::string> stored_tokens{"test_stored_tokens", "SELECT token_hash FROM tokens"};
const db::Query<std::int64_t> stored_codes{"test_stored_codes", "SELECT COUNT(*) FROM authorization_codes"};

const std::string redirect = "https://app.example/cb";
const std::string verifier(50, 'v');

struct Tokens : Stage {
    Client app = client();
    base::UserId alice = user("alice");

    std::string code(const std::string& challenge = "", const std::string& scopes = "read write") {
        return write([&](db::Write& db) {
            return oauth::issue_code(db, {app.app, alice, redirect, scopes, challenge});
        });
    }
    http::Response exchange(Fields changed) {
        Fields fields = {
            {"grant_type", "authorization_code"},
            {"client_id", app.id},
            {"client_secret", app.secret},
            {"redirect_uri", redirect},
            {"code", ""}
        };
        for (auto& [name, value] : changed) {
            auto same = [&](const auto& field) { return field.first == name; };
            std::erase_if(fields, same);
            fields.emplace_back(name, value);
        }
        return post("/oauth/token", fields);
    }
    std::string error(const http::Response& response) {
        auto body = boost::json::parse(response.body);
        EXPECT_FALSE(text(body, "error_description").empty());
        return std::to_string(response.status) + " " + text(body, "error");
    }
};
ON_EACH_DATABASE(Tokens);

TEST_P(Tokens, are_given_for_a_code_once) {
    auto given = code();
    auto response = exchange({{"code", given}});
    ASSERT_EQ(response.status, 200) << response.body;
    EXPECT_EQ(header(response, "Cache-Control"), "no-store");
    EXPECT_EQ(header(response, "Access-Control-Allow-Origin"), "*");
    auto body = boost::json::parse(response.body).as_object();
    auto token = std::string(body["access_token"].as_string());
    EXPECT_EQ(token.size(), 43u);
    body.erase("access_token");
    EXPECT_EQ(
        boost::json::value(body),
        boost::json::parse(R"({"token_type":"Bearer","scope":"read write","created_at":1767225600})")
    );
    EXPECT_EQ(get("/oauth/token/info", token).status, 200);
    for (const auto& hash : read([](db::Read& db) { return db.all(stored_tokens); })) EXPECT_NE(hash, token);

    EXPECT_EQ(error(exchange({{"code", given}})), "400 invalid_grant");
    EXPECT_EQ(get("/oauth/token/info", token).status, 401) << "a code that comes twice was stolen";
}

TEST_P(Tokens, are_refused_in_the_words_of_the_standard) {
    auto other = client();
    auto c = code();
    EXPECT_EQ(error(exchange({{"grant_type", ""}})), "400 invalid_request");
    EXPECT_EQ(error(exchange({{"grant_type", "password"}})), "400 unsupported_grant_type");
    EXPECT_EQ(error(exchange({{"client_id", "nobody"}, {"code", c}})), "401 invalid_client");
    EXPECT_EQ(error(exchange({{"client_secret", "wrong"}, {"code", c}})), "401 invalid_client");
    EXPECT_EQ(error(exchange({{"client_secret", ""}, {"code", c}})), "401 invalid_client");
    EXPECT_EQ(
        error(exchange({{"client_id", "command-line"}, {"client_secret", ""}, {"code", c}})),
        "401 invalid_client"
    );
    EXPECT_EQ(error(exchange({{"code", ""}})), "400 invalid_request");
    EXPECT_EQ(error(exchange({{"code", "x"}})), "400 invalid_grant");
    EXPECT_EQ(error(exchange({{"code", c}, {"redirect_uri", redirect + "/more"}})), "400 invalid_grant");
    EXPECT_EQ(
        error(exchange({{"code", c}, {"client_id", other.id}, {"client_secret", other.secret}})),
        "400 invalid_grant"
    );
    EXPECT_EQ(error(exchange({{"code", c}, {"code_verifier", verifier}})), "400 invalid_grant");
    EXPECT_TRUE(
        header(exchange({{"client_id", "x"}}), "WWW-Authenticate").starts_with("Bearer realm=\"Doorkeeper\"")
    );
    EXPECT_EQ(exchange({{"code", c}}).status, 200) << "no failure above has used the code up";
    auto late = code();
    pass(600);
    EXPECT_EQ(error(exchange({{"code", late}})), "400 invalid_grant");
}

TEST_P(Tokens, need_the_verifier_of_the_challenge) {
    auto challenge = base::base64url(base::sha256(verifier));
    auto c = code(challenge);
    EXPECT_EQ(error(exchange({{"code", c}})), "400 invalid_request");
    EXPECT_EQ(error(exchange({{"code", c}, {"code_verifier", challenge}})), "400 invalid_grant");
    EXPECT_EQ(error(exchange({{"code", c}, {"code_verifier", "short"}})), "400 invalid_grant");
    EXPECT_EQ(exchange({{"code", c}, {"code_verifier", verifier}}).status, 200);
}

TEST_P(Tokens, of_apps_take_basic_credentials_and_stay_within_registered_scopes) {
    auto basic = [&](const std::string& scope) {
        return send(
            http::Method::post,
            "/oauth/token",
            form({{"grant_type", "client_credentials"}, {"scope", scope}}),
            {{"Authorization", "Basic " + base::base64(app.id + ":" + app.secret)}}
        );
    };
    EXPECT_EQ(text(boost::json::parse(basic("").body), "scope"), "read");
    EXPECT_EQ(text(boost::json::parse(basic("write read").body), "scope"), "write read");
    EXPECT_EQ(error(basic("write:media")), "400 invalid_scope");
    EXPECT_EQ(error(basic("admin:read")), "400 invalid_scope");
    EXPECT_EQ(error(basic("cake")), "400 invalid_scope");
    for (auto broken : {"Basic !!!", "Basic ", "Basic /w==", "Basic OjpA"})
        EXPECT_EQ(
            send(
                http::Method::post,
                "/oauth/token",
                "grant_type=client_credentials",
                {{"Authorization", broken}}
            ).status,
            401
        );
}

TEST_P(Tokens, of_apps_do_not_pile_up) {
    for (int i = 0; i < 15; ++i)
        post(
            "/oauth/token",
            {{"grant_type", "client_credentials"}, {"client_id", app.id}, {"client_secret", app.secret}}
        );
    EXPECT_EQ(read([](db::Read& db) { return db.one(live_tokens); }), 10);
}

TEST_P(Tokens, are_revoked_by_their_own_app_only) {
    auto token = text(boost::json::parse(exchange({{"code", code()}}).body), "access_token");
    auto other = client();
    auto revoke = [&](const Client& by, const std::string& what) {
        return post("/oauth/revoke", {{"token", what}, {"client_id", by.id}, {"client_secret", by.secret}});
    };
    EXPECT_EQ(error(revoke(other, token)), "403 unauthorized_client");
    EXPECT_EQ(error(revoke({app.id, "wrong", {}}, token)), "403 unauthorized_client");
    EXPECT_EQ(error(post("/oauth/revoke", {{"token", token}})), "403 unauthorized_client");
    EXPECT_EQ(get("/oauth/token/info", token).status, 200);
    EXPECT_EQ(revoke(app, "unknown").body, "{}");
    EXPECT_EQ(revoke(app, token).body, "{}");
    EXPECT_EQ(events.revoked.size(), 1u);
    EXPECT_EQ(get("/oauth/token/info", token).status, 401);
    EXPECT_EQ(revoke(app, token).status, 200);
}

TEST_P(Tokens, tell_their_own_app_about_themselves) {
    auto token = text(boost::json::parse(exchange({{"code", code()}}).body), "access_token");
    auto other = client();
    auto ask = [&](const Client& by) {
        return post(
                   "/oauth/introspect", {{"token", token}, {"client_id", by.id}, {"client_secret", by.secret}}
        ).body;
    };
    EXPECT_EQ(
        ask(app),
        R"({"active":true,"scope":"read write","client_id":")" + app.id +
            R"(","token_type":"Bearer","iat":1767225600})"
    );
    EXPECT_EQ(ask(other), R"({"active":false})");
    EXPECT_EQ(error(post("/oauth/introspect", {{"token", token}})), "401 invalid_client");
    EXPECT_EQ(
        get("/oauth/token/info", token).body,
        R"({"resource_owner_id":)" + std::to_string(alice.value) +
            R"(,"scope":["read","write"],"expires_in":null,"application":{"uid":")" + app.id +
            R"("},"created_at":1767225600})"
    );
}

TEST_P(Tokens, with_the_profile_scope_tell_who_the_user_is) {
    auto read_only = text(boost::json::parse(exchange({{"code", code()}}).body), "access_token");
    auto profile = text(boost::json::parse(exchange({{"code", code("", "profile")}}).body), "access_token");
    EXPECT_EQ(get("/oauth/userinfo", read_only).status, 403);
    auto body = boost::json::parse(post("/oauth/userinfo", {}, profile).body);
    EXPECT_EQ(text(body, "iss"), site.public_url + "/");
    EXPECT_EQ(text(body, "preferred_username"), "alice");
    EXPECT_EQ(text(body, "profile"), site.public_url + "/@alice");
    EXPECT_TRUE(text(body, "sub").starts_with(site.public_url + "/ap/users/"));
    EXPECT_TRUE(text(body, "picture").ends_with("missing.png"));
}

TEST_P(Tokens, and_codes_past_their_time_are_cleared_away) {
    auto token = text(boost::json::parse(exchange({{"code", code()}}).body), "access_token");
    post("/oauth/revoke", {{"token", token}, {"client_id", app.id}, {"client_secret", app.secret}});
    auto purge = [&] { write([](db::Write& db) { oauth::purge(db); }); };
    purge();
    EXPECT_EQ(read([](db::Read& db) { return db.all(stored_tokens).size(); }), 1u);
    pass(31 * 86'400);
    purge();
    EXPECT_EQ(read([](db::Read& db) { return db.all(stored_tokens).size(); }), 0u);
    EXPECT_EQ(read([](db::Read& db) { return db.one(stored_codes); }), 0);
}

}  // namespace

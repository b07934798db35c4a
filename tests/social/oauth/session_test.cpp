// SPDX-License-Identifier: AGPL-3.0-or-later
// A web session on the API, by the rule that needs the cookie and a proof at once. Requests here are what browsers send;
// what keeps them from sending others is tried with a real one.
#include "base/json_read.hpp"
#include "social/oauth/stage.hpp"

namespace {

using namespace oauth_test;
using http::Method;

std::string member(const http::Response& response, std::string_view name) {
    auto body = boost::json::parse(response.body);
    auto* found = body.is_object() ? body.get_object().if_contains(name) : nullptr;
    return found && found->is_string() ? std::string(std::string_view(found->get_string())) : "";
}

const db::Query<std::string> app_of_token{
    "test_app_of_token",
    "SELECT a.name FROM tokens t JOIN apps a ON a.id = t.app_id ORDER BY t.id DESC LIMIT 1"
};
const db::Command disable{"test_disable", "UPDATE users SET disabled = TRUE WHERE id = $1"};

struct Sessions : Stage {
    base::UserId alice = user("alice"), bob = user("bob");

    std::string begin(base::UserId who) {
        return write([&](db::Write& db) { return oauth::begin_session(db, who, "192.0.2.1", "A browser"); });
    }
    static std::string proof(const std::string& secret) { return oauth::proof_for_scripts(secret); }
    static std::string form_proof(const std::string& secret) {
        return base::base64url(base::hmac_sha256(secret, "form"));
    }
    http::Response me(http::Headers headers) {
        return send(Method::get, "/api/v1/accounts/verify_credentials", "", std::move(headers));
    }
    http::Headers signed_in(const std::string& secret) {
        return {
            {"Cookie", "dunlin_session=" + secret},
            {"Authorization", "Session " + proof(secret)},
            {"Origin", site.public_url},
            {"Sec-Fetch-Site", "same-origin"}
        };
    }
};
ON_EACH_DATABASE(Sessions);

TEST_P(Sessions, let_in_by_method_and_origin_and_site_and_authorization_and_cookie) {
    auto secret = begin(alice), other = begin(bob);
    struct Request {
        Method method;
        const char *path, *body;
    };
    const Request requests[] = {
        {Method::get, "/api/v1/accounts/verify_credentials", ""},
        {Method::head, "/api/v1/accounts/verify_credentials", ""},
        {Method::post, "/api/v1/markers", "home[last_read_id]=1"},
        {Method::put, "/api/web/settings", ""},
        {Method::patch, "/api/v1/accounts/update_credentials", "display_name=A"},
        {Method::delete_, "/api/v1/push/subscription", ""},
    };
    const std::string none = "-";
    const std::string origins[] = {
        none, site.public_url, "http://localhost:3001", "https://evil.example", "null"
    };
    const std::string sites[] = {none, "same-origin", "same-site", "cross-site", "none"};
    const std::string cookies[] = {
        none, secret, other + "." + secret, other, "x", secret + ".x", secret + "." + secret.substr(1)
    };
    struct Authorization {
        std::vector<std::string> headers;
        bool proves = false;
    };
    const Authorization authorizations[] = {
        {{}},
        {{"Session " + proof(secret)}, true},
        {{"Session " + write([&](db::Write&) { return oauth::masked_proof(secret); })}, true},
        {{"Session " + form_proof(secret)}},
        {{"Session " + secret}},
        {{"Session "}},
        {{"Session x"}},
        {{"Session " + proof(secret), "Session " + proof(secret)}},
        {{"Bearer x", "Session " + proof(secret)}},
    };
    int admitted = 0;
    for (const auto& [method, path, body] : requests)
        for (const auto& origin : origins)
            for (const auto& from : sites)
                for (const auto& [shown, proves] : authorizations)
                    for (const auto& cookie : cookies) {
                        http::Headers headers;
                        if (cookie != none) headers.emplace_back("Cookie", "dunlin_session=" + cookie);
                        if (origin != none) headers.emplace_back("Origin", origin);
                        if (from != none) headers.emplace_back("Sec-Fetch-Site", from);
                        for (const auto& value : shown) headers.emplace_back("Authorization", value);
                        bool settings = path == std::string_view("/api/web/settings");
                        if (settings) headers.emplace_back("Content-Type", "application/json");
                        auto answer = send(method, path, settings ? R"({"data":{}})" : body, headers);
                        bool reads = method == Method::get || method == Method::head;
                        bool from_us = origin == site.public_url || (origin == none && reads);
                        bool not_from_elsewhere = from == none || from == "same-origin";
                        bool has_cookie = cookie == secret || cookie == other + "." + secret;
                        bool lets_in = proves && from_us && not_from_elsewhere && has_cookie;
                        auto what = std::string(path) + " " + origin + " " + from + " " + cookie + " " +
                                    (shown.empty() ? "" : shown[0]);
                        admitted += lets_in;
                        if (lets_in) {
                            // No push subscription is there to be shown or ended; who asks is known all the same.
                            EXPECT_EQ(answer.status, 200) << what << answer.body;
                            continue;
                        }
                        if (shown.empty()) {
                            // Nobody looks at the cookie.
                            EXPECT_EQ(answer.status, settings ? 422 : 401) << what;
                            EXPECT_NE(member(answer, "error"), "The session has ended") << what;
                            continue;
                        }
                        EXPECT_EQ(answer.status, 401) << what << answer.body;
                        EXPECT_EQ(member(answer, "error"), "The session has ended") << what;
                    }
    // Two cookies; both proofs; GET and HEAD with two origins and two sites, the others with one origin.
    EXPECT_EQ(admitted, 2 * 2 * (2 * 2 * 2 + 4 * 1 * 2));
}

TEST_P(Sessions, are_who_the_proof_says_of_several) {
    auto one = begin(alice), two = begin(bob);
    auto cookie = "dunlin_session=" + one + "." + two;
    EXPECT_EQ(
        member(me({{"Cookie", cookie}, {"Authorization", "Session " + proof(one)}}), "username"), "alice"
    );
    EXPECT_EQ(
        member(me({{"Cookie", cookie}, {"Authorization", "Session " + proof(two)}}), "username"), "bob"
    );
}

TEST_P(Sessions, are_refused_beside_a_token) {
    auto secret = begin(alice);
    for (std::string name : {"access_token", "bearer_token"}) {
        auto in_query =
            send(Method::get, "/api/v1/accounts/verify_credentials?" + name + "=x", "", signed_in(secret));
        EXPECT_EQ(in_query.status, 401) << name;
        auto in_body = send(Method::post, "/api/v1/markers", name + "=x", signed_in(secret));
        EXPECT_EQ(in_body.status, 401) << name;
        auto headers = signed_in(secret);
        headers.emplace_back("Content-Type", "application/json");
        auto in_json = send(Method::post, "/api/v1/markers", "{\"" + name + "\":\"x\"}", headers);
        EXPECT_EQ(in_json.status, 401) << name;
    }
}

TEST_P(Sessions, are_looked_at_under_the_api_alone) {
    auto secret = begin(alice);
    EXPECT_EQ(send(Method::get, "/oauth/userinfo", "", signed_in(secret)).status, 401);
}

TEST_P(Sessions, end_with_their_row_and_with_the_login) {
    auto ended = begin(alice), disabled = begin(bob);
    EXPECT_EQ(me(signed_in(ended)).status, 200);
    write([&](db::Write& db) { oauth::end_session(db, oauth::find_person(db, ended)->session); });
    EXPECT_EQ(me(signed_in(ended)).status, 401);
    EXPECT_EQ(events.revoked.size(), 1u);  // streams end by it
    write([&](db::Write& db) { db.run(disable, bob); });
    EXPECT_EQ(me(signed_in(disabled)).status, 401);
    auto old = begin(alice);
    pass(366 * 86'400);
    EXPECT_EQ(me(signed_in(old)).status, 401);
}

TEST_P(Sessions, may_do_what_people_do_and_what_their_role_permits) {
    auto scopes = [this](base::UserId who) {
        auto secret = begin(who);
        return read([&](db::Read& db) {
            return http::to_string(oauth::look_up_session(db, secret).holder.scopes);
        });
    };
    EXPECT_EQ(scopes(alice), "read write follow push");
    EXPECT_EQ(scopes(user("mona", accounts::moderator)), "read write follow push admin:read admin:write");
    EXPECT_EQ(scopes(user("olga", accounts::owner)), "read write follow push admin:read admin:write");
}

TEST_P(Sessions, stand_behind_posts_as_the_application_web_and_are_none_of_the_apps) {
    auto secret = begin(alice);
    EXPECT_EQ(read([](db::Read& db) { return db.one(app_of_token); }), "Web");
    EXPECT_TRUE(read([&](db::Read& db) { return oauth::apps_of(db, alice); }).empty());
    auto posted = send(Method::post, "/api/v1/statuses", "status=Hello", signed_in(secret));
    ASSERT_EQ(posted.status, 200) << posted.body;
    auto body = boost::json::parse(posted.body);
    EXPECT_EQ(body.at("application").at("name").as_string(), "Web");
}

TEST_P(Sessions, of_one_browser_are_several_accounts_and_end_one_by_one) {
    Browser browser(*this);
    browser.sign_in("alice");
    auto first = browser.cookies["dunlin_session"];
    browser.sign_in("bob", "password of bob", "?add=1");
    auto both = browser.cookies["dunlin_session"];
    EXPECT_TRUE(both.ends_with("." + first));
    auto second = both.substr(0, both.find('.'));
    EXPECT_EQ(
        member(
            me({{"Cookie", "dunlin_session=" + both}, {"Authorization", "Session " + proof(first)}}),
            "username"
        ),
        "alice"
    );
    // Again the same account: its old session goes.
    browser.sign_in("alice", "password of alice", "?add=1");
    auto again = browser.cookies["dunlin_session"];
    EXPECT_TRUE(again.ends_with("." + second));
    EXPECT_EQ(again.find(first), again.npos);
    EXPECT_EQ(me(signed_in(first)).status, 401);
    // Signing out by a script.
    auto headers = signed_in(again);
    headers[1].second = "Session " + proof(second);
    auto left = send(Method::delete_, "/api/web/session", "", headers);
    ASSERT_EQ(left.status, 200) << left.body;
    EXPECT_EQ(header(left, "Clear-Site-Data"), "\"cache\"") << "what others have on the device stays";
    auto rest = again.substr(0, again.find('.'));
    EXPECT_NE(header(left, "Set-Cookie").find("dunlin_session=" + rest + ";"), std::string::npos);
    EXPECT_EQ(me(signed_in(second)).status, 401);
    EXPECT_EQ(me(signed_in(rest)).status, 200);
    // With the last one nothing is left on the device.
    left = send(Method::delete_, "/api/web/session", "", signed_in(rest));
    ASSERT_EQ(left.status, 200) << left.body;
    EXPECT_EQ(header(left, "Clear-Site-Data"), "\"cache\", \"storage\"");
    EXPECT_EQ(me(signed_in(rest)).status, 401);
}

TEST_P(Sessions, of_a_browser_are_five_at_most) {
    Browser browser(*this);
    browser.sign_in("alice");
    auto first = browser.cookies["dunlin_session"];
    for (std::string name : {"carol", "dave", "erin", "frank", "grace"}) {
        user(name);
        browser.sign_in(name, "password of " + name, "?add=1");
    }
    EXPECT_EQ(browser.cookies["dunlin_session"].size(), 5 * 43u + 4);
    EXPECT_EQ(me(signed_in(first)).status, 401);
}

TEST_P(Sessions, on_a_shared_computer_end_with_the_browser) {
    Browser browser(*this);
    auto page = browser.get("/auth/sign_in");
    Fields fields{{"user[email]", "alice"}, {"user[password]", "password of alice"}};
    EXPECT_NE(
        header(browser.submit("/auth/sign_in", page, fields), "Set-Cookie").find("Max-Age"), std::string::npos
    );
    fields.emplace_back("shared", "1");
    Browser shared(*this);
    page = shared.get("/auth/sign_in");
    EXPECT_EQ(
        header(shared.submit("/auth/sign_in", page, fields), "Set-Cookie").find("Max-Age"), std::string::npos
    );
}

TEST(Proofs, are_masked_anew_each_time_and_mean_the_same) {
    auto one = oauth::masked_proof("a secret"), two = oauth::masked_proof("a secret");
    EXPECT_NE(one, two);
    EXPECT_TRUE(oauth::is_proof("a secret", one));
    EXPECT_TRUE(oauth::is_proof("a secret", two));
    EXPECT_TRUE(oauth::is_proof("a secret", oauth::proof_for_scripts("a secret")));
    EXPECT_FALSE(oauth::is_proof("another", one));
    EXPECT_FALSE(oauth::is_proof("a secret", ""));
    auto wrong = one;
    wrong[5] = wrong[5] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(oauth::is_proof("a secret", wrong));
}

}  // namespace

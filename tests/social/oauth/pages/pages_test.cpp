// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/invite.hpp"
#include "social/oauth/pages/page.hpp"

#include "social/oauth/stage.hpp"
#include "social/oauth/token.hpp"

namespace {

using namespace oauth_test;

const std::string redirect = "https://app.example/cb";

bool has(const http::Response& response, std::string_view text) {
    return response.body.find(text) != std::string::npos;
}

struct Pages : Stage {
    base::UserId owner = user("root", accounts::owner), alice = user("alice");
    Client app = client("read write follow", redirect + "\nurn:ietf:wg:oauth:2.0:oob\nmyapp://cb");
    Browser browser{*this};

    std::string authorize(Fields more = {}) {
        Fields fields = {
            {"response_type", "code"}, {"client_id", app.id}, {"redirect_uri", redirect}, {"scope", "read"}
        };
        for (auto& [name, value] : more) {
            std::erase_if(fields, [&](const auto& field) { return field.first == name; });
            fields.emplace_back(name, value);
        }
        return "/oauth/authorize?" + form(fields);
    }
    std::string code_in(const http::Response& response) {
        auto location = header(response, "Location");
        auto at = location.find("code=");
        return at == location.npos ? "" : location.substr(at + 5, 43);
    }
    int exchange(const std::string& code, const std::string& uri) {
        return post(
                   "/oauth/token",
                   {{"grant_type", "authorization_code"},
                    {"client_id", app.id},
                    {"client_secret", app.secret},
                    {"redirect_uri", uri},
                    {"code", code}}
        ).status;
    }
};
ON_EACH_DATABASE(Pages);

TEST(Returning, never_leads_away) {
    for (auto good : {"/oauth/authorize?client_id=x", "/oauth/authorized_applications"})
        EXPECT_EQ(oauth::safe_return(good), good);
    for (auto bad :
         {"",
          "https://evil.example",
          "//evil.example",
          "/\\evil.example",
          "/oauth/authorize",
          "/oauth/authorize?a\r\nX: y",
          "/web//evil",
          "javascript:alert(1)",
          "/oauth/authorize?\\",
          "%2f%2fevil"})
        EXPECT_EQ(oauth::safe_return(bad), "/") << bad;
}

TEST_P(Pages, lead_from_the_app_through_sign_in_and_consent_back_to_the_app) {
    auto first = browser.get(authorize({{"state", "a&b#\"'<ü"}}));
    EXPECT_EQ(first.status, 302);
    auto sign_in = browser.get(header(first, "Location"));
    ASSERT_EQ(sign_in.status, 200);
    for (auto name : {"id=\"user_email\"", "id=\"user_password\"", "<button type=\"submit\""})
        EXPECT_TRUE(has(sign_in, name)) << name;
    auto policy_of = [](const http::Response& page) { return header(page, "Content-Security-Policy"); };
    EXPECT_EQ(policy_of(sign_in).find("form-action"), std::string::npos)
        << "where the app leads on counts, too";
    EXPECT_NE(policy_of(browser.get("/auth/sign_in")).find("form-action 'self'"), std::string::npos);
    EXPECT_NE(policy_of(browser.get("/auth/password/new")).find("form-action 'self'"), std::string::npos);
    auto signed_in = browser.submit(
        "/auth/sign_in", sign_in, {{"user[email]", "Alice"}, {"user[password]", "password of alice"}}
    );
    ASSERT_EQ(signed_in.status, 302);
    auto consent = browser.get(header(signed_in, "Location"));
    ASSERT_EQ(consent.status, 200);
    EXPECT_EQ(policy_of(consent).find("form-action"), std::string::npos);
    EXPECT_TRUE(has(consent, "class=\"button negative\""));
    EXPECT_TRUE(has(consent, "@alice"));
    auto answer = browser.submit("/oauth/authorize", consent, {});
    EXPECT_EQ(answer.status, 302);
    EXPECT_TRUE(header(answer, "Location").starts_with(redirect + "?code="));
    EXPECT_TRUE(header(answer, "Location").ends_with("&state=a%26b%23%22%27%3C%C3%BC"))
        << header(answer, "Location");
    EXPECT_EQ(exchange(code_in(answer), redirect), 200);

    auto again = browser.get(authorize());
    EXPECT_EQ(again.status, 302) << "allowed before: no question";
    EXPECT_EQ(exchange(code_in(again), redirect), 200);
    auto head = browser.head(authorize());
    EXPECT_EQ(head.status, 200) << "and no code for who does not read it";
    EXPECT_EQ(header(head, "Location"), "");
    EXPECT_EQ(browser.get(authorize({{"scope", "write"}})).status, 200) << "more than before: a question";
}

TEST_P(Pages, let_the_user_say_no) {
    browser.sign_in("alice");
    auto consent = browser.get(authorize({{"state", "xyz"}}));
    auto answer = browser.submit("/oauth/authorize", consent, {{"_method", "delete"}});
    auto location = header(answer, "Location");
    EXPECT_TRUE(location.starts_with(redirect + "?error=access_denied&error_description=")) << location;
    EXPECT_TRUE(location.ends_with("&state=xyz"));
    EXPECT_EQ(code_in(answer), "");
}

TEST_P(Pages, ask_to_sign_in_again_when_the_app_insists) {
    browser.sign_in("alice");
    auto consent = browser.get(authorize());
    exchange(code_in(browser.submit("/oauth/authorize", consent, {})), redirect);
    auto forced = browser.get(authorize({{"force_login", "true"}}));
    ASSERT_EQ(forced.status, 302);
    EXPECT_TRUE(header(forced, "Location").starts_with("/auth/sign_in?force=1&return_to="));
    auto sign_in = browser.get(header(forced, "Location"));
    EXPECT_EQ(sign_in.status, 200);
    user("bob");
    auto signed_in = browser.submit(
        "/auth/sign_in", sign_in, {{"user[email]", "bob"}, {"user[password]", "password of bob"}}
    );
    auto question = browser.get(header(signed_in, "Location"));
    EXPECT_EQ(question.status, 200);
    EXPECT_TRUE(has(question, "@bob"));
}

TEST_P(Pages, show_the_code_to_apps_without_an_address) {
    browser.sign_in("alice");
    auto consent = browser.get(authorize({{"redirect_uri", "urn:ietf:wg:oauth:2.0:oob"}}));
    auto answer = browser.submit("/oauth/authorize", consent, {});
    auto location = header(answer, "Location");
    ASSERT_TRUE(location.starts_with("/oauth/authorize/native?code=")) << location;
    EXPECT_TRUE(
        has(browser.get(location), "class=\"oauth-code\" type=\"text\" value=\"" + code_in(answer) + "\"")
    );
    EXPECT_EQ(exchange(code_in(answer), "urn:ietf:wg:oauth:2.0:oob"), 200);
    EXPECT_EQ(browser.get("/oauth/authorize/native?code=<script>").status, 404);
}

TEST_P(Pages, answer_in_the_fragment_or_by_a_form_if_asked) {
    browser.sign_in("alice");
    auto consent = browser.get(authorize({{"response_mode", "fragment"}}));
    EXPECT_TRUE(
        header(browser.submit("/oauth/authorize", consent, {}), "Location").starts_with(redirect + "#code=")
    );
    consent = browser.get(authorize({{"response_mode", "form_post"}, {"state", "s"}}));
    auto page = browser.submit("/oauth/authorize", consent, {});
    EXPECT_TRUE(has(page, "<form action=\"" + redirect + "\" method=\"post\">")) << page.body;
    EXPECT_EQ(Browser::hidden_fields(page.body).back().first, "state");
}

TEST_P(Pages, never_redirect_for_a_wrong_request) {
    browser.sign_in("alice");
    struct {
        Fields change;
        int status;
    } cases[] = {
        {{{"client_id", ""}}, 400},
        {{{"client_id", "nobody"}}, 401},
        {{{"redirect_uri", ""}}, 400},
        {{{"redirect_uri", "https://evil.example/cb"}}, 400},
        {{{"redirect_uri", redirect + "/"}}, 400},
        {{{"redirect_uri", redirect + "#x"}}, 400},
        {{{"response_type", "token"}}, 400},
        {{{"scope", "read:accounts"}}, 400},
        {{{"scope", "admin:write"}}, 400},
        {{{"scope", "cake"}}, 400},
        {{{"code_challenge", std::string(43, 'a')}}, 400},
        {{{"code_challenge", std::string(43, 'a')}, {"code_challenge_method", "plain"}}, 400},
        {{{"code_challenge", "short"}, {"code_challenge_method", "S256"}}, 400},
        {{{"response_mode", "smoke"}}, 400},
    };
    for (const auto& [change, status] : cases) {
        auto page = browser.get(authorize(change));
        EXPECT_EQ(page.status, status) << form(change);
        EXPECT_EQ(header(page, "Location"), "");
        EXPECT_TRUE(page.content_type.starts_with("text/html"));
        EXPECT_EQ(browser.post(authorize(change), {}).status, status);
    }
}

TEST_P(Pages, take_no_form_that_is_not_from_here) {
    auto consent_form = Fields{
        {"response_type", "code"}, {"client_id", app.id}, {"redirect_uri", redirect}, {"scope", "read"}
    };
    browser.sign_in("alice");
    for (auto proof : {"", "x"}) {
        auto fields = consent_form;
        fields.emplace_back("authenticity_token", proof);
        EXPECT_EQ(browser.post("/oauth/authorize", fields).status, 422);
    }
    Browser other{*this};
    user("bob");
    other.sign_in("bob");
    auto stolen = Browser::hidden_fields(other.get(authorize()).body);
    EXPECT_EQ(browser.post("/oauth/authorize", stolen).status, 422);
    EXPECT_EQ(browser.post("/auth/sign_out", {}).status, 422);
    Browser nobody{*this};
    EXPECT_EQ(
        nobody.post("/auth/sign_in", {{"user[email]", "alice"}, {"user[password]", "password of alice"}})
            .status,
        422
    );
    for (auto path : {"/auth", "/auth/password", "/auth/confirmation"})
        EXPECT_EQ(nobody.post(path, {}).status, 422) << path;
}

TEST_P(Pages, say_the_same_for_a_wrong_password_and_a_wrong_name) {
    auto wrong = browser.sign_in("alice", "wrong"), unknown = browser.sign_in("nobody", "wrong");
    EXPECT_EQ(wrong.status, 422);
    EXPECT_EQ(unknown.status, 422);
    auto blank = [](std::string body, std::string_view name) {
        auto at = body.find("value=\"" + std::string(name) + "\"");
        return at == body.npos ? body : body.erase(at + 7, name.size());
    };
    EXPECT_EQ(blank(wrong.body, "alice"), blank(unknown.body, "nobody"));
    EXPECT_EQ(comparisons, 2) << "the same work for both";
    EXPECT_EQ(browser.cookies.count("dunlin_session"), 0u);
}

TEST_P(Pages, give_every_sign_in_a_session_of_its_own) {
    browser.cookies["dunlin_session"] = std::string(43, 'x');
    browser.sign_in("alice");
    auto first = browser.cookies["dunlin_session"];
    EXPECT_NE(first, std::string(43, 'x'));
    browser.sign_in("alice", "password of alice", "?force=1");
    auto second = browser.cookies["dunlin_session"];
    EXPECT_NE(first, second);
    read([&](db::Read& db) {
        EXPECT_FALSE(oauth::find_person(db, first));
        EXPECT_TRUE(oauth::find_person(db, second));
    });
    auto root = browser.get("/");
    EXPECT_TRUE(has(root, "@alice"));
    browser.submit("/auth/sign_out", root, {});
    read([&](db::Read& db) { EXPECT_FALSE(oauth::find_person(db, second)); });
    EXPECT_EQ(browser.cookies.count("dunlin_session"), 0u);
}

TEST_P(Pages, set_cookies_that_scripts_and_neighbours_cannot_touch) {
    auto plain = header(browser.sign_in("alice"), "Set-Cookie");
    EXPECT_NE(plain.find("; Path=/; HttpOnly; SameSite=Lax"), std::string::npos);
    EXPECT_EQ(plain.find("Secure"), std::string::npos);
    site.public_url = "https://social.example";
    Browser secure{*this};
    auto cookie = header(secure.sign_in("alice"), "Set-Cookie");
    EXPECT_TRUE(cookie.starts_with("__Host-dunlin_session="));
    EXPECT_TRUE(cookie.ends_with("; Secure"));
    auto page = secure.get("/");
    auto policy = header(page, "Content-Security-Policy");
    EXPECT_TRUE(policy.starts_with("default-src 'none'"));
    EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos);
    EXPECT_FALSE(has(page, "<script"));
    EXPECT_EQ(header(page, "Cache-Control"), "private, no-store");
}

TEST_P(Pages, escape_what_apps_and_visitors_say) {
    auto evil = boost::json::parse(post(
                                       "/api/v1/apps",
                                       {{"client_name", "<script>alert('x')</script>"},
                                        {"redirect_uris", redirect},
                                        {"website", "https://x.example/\"onload=1"}}
    )
                                       .body);
    EXPECT_TRUE(evil.as_object().contains("error"));
    evil = boost::json::parse(
        post("/api/v1/apps", {{"client_name", "<script>\"'"}, {"redirect_uris", redirect}}).body
    );
    browser.sign_in("alice");
    auto page = browser.get(authorize({{"client_id", text(evil, "client_id")}, {"state", "\"><script>x"}}));
    ASSERT_EQ(page.status, 200);
    EXPECT_FALSE(has(page, "<script"));
    EXPECT_TRUE(has(page, "&lt;script&gt;"));
    Browser other{*this};
    EXPECT_FALSE(has(other.sign_in("\"><script>alert(1)", "x"), "<script"));
}

TEST_P(Pages, list_the_apps_and_take_their_access_back) {
    EXPECT_TRUE(header(browser.get("/oauth/authorized_applications"), "Location").starts_with("/auth/sign_in")
    );
    browser.sign_in("alice");
    auto issued = write([&](db::Write& db) { return oauth::issue_token(db, app.app, alice, "read"); });
    auto page = browser.get("/oauth/authorized_applications");
    EXPECT_TRUE(has(page, "An app"));
    auto gone = browser.submit("/oauth/authorized_applications/" + std::to_string(app.app.value), page, {});
    EXPECT_EQ(gone.status, 302);
    EXPECT_EQ(events.revoked, std::vector{issued.id});
    EXPECT_EQ(get("/oauth/token/info", issued.token).status, 401);
    EXPECT_EQ(get("/oauth/applications").status, 403);
    EXPECT_EQ(get("/oauth/applications/1").status, 403);
}

TEST_P(Pages, reset_a_password_and_say_nothing_about_who_is_known) {
    browser.sign_in("alice");
    Browser lost{*this};
    auto ask = [&](const std::string& email) {
        return lost.submit("/auth/password", lost.get("/auth/password/new"), {{"user[email]", email}});
    };
    EXPECT_EQ(ask("nobody@example.com").body, ask("ALICE@example.com").body);
    ASSERT_EQ(events.resets.size(), 1u);
    EXPECT_EQ(lost.get("/auth/password/edit?reset_password_token=x").status, 422);
    auto page = lost.get("/auth/password/edit?reset_password_token=" + events.resets[0].secret);
    ASSERT_EQ(page.status, 200);
    auto change = [&](std::string one, std::string two) {
        return lost.submit(
            "/auth/password", page, {{"user[password]", one}, {"user[password_confirmation]", two}}
        );
    };
    EXPECT_EQ(change("short", "short").status, 422);
    EXPECT_EQ(change("new password", "other password").status, 422);
    EXPECT_EQ(change("new password", "new password").status, 200);
    EXPECT_EQ(change("new password", "new password").status, 422) << "once";
    EXPECT_EQ(browser.get("/oauth/authorized_applications").status, 302) << "signed out everywhere";
    EXPECT_EQ(lost.sign_in("alice").status, 422);
    EXPECT_EQ(lost.sign_in("alice", "new password").status, 302);
    EXPECT_TRUE(has(lost.get("/settings/account/sessions"), "Password changed"));
}

TEST_P(Pages, sign_people_up) {
    auto fields = Fields{
        {"user[account_attributes][username]", "carol"},
        {"user[email]", "carol@example.com"},
        {"user[password]", "long enough"},
        {"user[password_confirmation]", "long enough"},
        {"user[agreement]", "1"}
    };
    auto page = browser.get("/auth/sign_up");
    auto refused = browser.submit("/auth", page, {{"user[email]", "x"}});
    EXPECT_TRUE(has(refused, "id=\"username_wrong\">Username can&#39;t be blank.</span>"));
    EXPECT_TRUE(has(refused, "aria-describedby=\"username_hint username_wrong\" aria-invalid=\"true\""));
    EXPECT_TRUE(has(refused, "id=\"email_wrong\">Email "));
    EXPECT_TRUE(has(refused, "id=\"agreement_wrong\">Agreement must be accepted.</span>"));
    EXPECT_FALSE(has(page, "_wrong"));
    EXPECT_EQ(browser.submit("/auth", page, fields).status, 200);
    ASSERT_EQ(events.confirmations.size(), 1u);
    EXPECT_EQ(browser.sign_in("carol", "long enough").status, 403) << "unconfirmed";
    auto resend = browser.get("/auth/confirmation/new");
    browser.submit("/auth/confirmation", resend, {{"user[email]", "carol@example.com"}});
    const auto letter = "/auth/confirmation?confirmation_token=" + events.confirmations.at(1).secret;
    EXPECT_EQ(browser.head(letter).status, 200) << "a program that looks where the link leads";
    EXPECT_EQ(browser.sign_in("carol", "long enough").status, 403);
    auto confirmed = browser.get(letter);
    EXPECT_EQ(confirmed.status, 200);
    EXPECT_TRUE(has(confirmed, "href=\"/auth/sign_in\""));
    EXPECT_EQ(browser.sign_in("carol", "long enough").status, 302);
    EXPECT_EQ(get("/api/v1/emails/check_confirmation").status, 401);
    EXPECT_EQ(browser.get("/api/v1/emails/check_confirmation").body, "true");
    site.registrations_open = false;
    EXPECT_EQ(Browser{*this}.get("/auth/sign_up").status, 403);
}

struct Setup : Stage {};
ON_EACH_DATABASE(Setup);

TEST_P(Setup, comes_before_anybody_signs_up) {
    auto code = write([](db::Write& db) { return accounts::setup_code(db); }).value();
    Browser stranger{*this};
    EXPECT_EQ(stranger.get("/auth/sign_up").status, 403);
    auto invite = write([](db::Write& db) { return accounts::create_invite(db, {}); });
    EXPECT_EQ(stranger.get("/invite/" + invite).status, 403);
    auto page = stranger.get("/auth/sign_in");
    Fields fields = {
        {"user[account_attributes][username]", "eve"},
        {"user[email]", "eve@example.com"},
        {"user[password]", "long enough"},
        {"user[password_confirmation]", "long enough"},
        {"user[agreement]", "1"},
        {"user[invite_code]", invite}
    };
    EXPECT_EQ(stranger.submit("/auth", page, fields).status, 403);
    auto app = client();
    auto token = post(
        "/oauth/token",
        {{"grant_type", "client_credentials"},
         {"client_id", app.id},
         {"client_secret", app.secret},
         {"scope", "read write"}}
    );
    auto given = text(boost::json::parse(token.body), "access_token");
    for (const auto& by : {std::string(), invite}) {
        auto answer = post(
            "/api/v1/accounts",
            {{"username", "eve"},
             {"email", "eve@example.com"},
             {"password", "long enough"},
             {"agreement", "true"},
             {"invite_code", by}},
            given
        );
        EXPECT_EQ(answer.status, 403) << answer.body;
    }
    EXPECT_TRUE(events.activated.empty());
    EXPECT_TRUE(events.confirmations.empty());
    EXPECT_EQ(stranger.get("/setup?code=" + code).status, 200);
    EXPECT_TRUE(read([&](db::Read& db) { return accounts::is_valid_invite(db, invite); }));
}

TEST_P(Setup, is_open_while_there_are_accounts_but_no_owner) {
    user("early");
    EXPECT_TRUE(write([](db::Write& db) { return accounts::setup_code(db); }));
    EXPECT_EQ(get("/setup").status, 200);
    user("late", accounts::owner);
    EXPECT_FALSE(write([](db::Write& db) { return accounts::setup_code(db); }));
    EXPECT_EQ(get("/setup").status, 404);
    EXPECT_EQ(get("/auth/sign_up").status, 200);
}

TEST_P(Setup, makes_the_owner_with_the_code_and_is_gone) {
    Browser browser{*this};
    auto code = write([](db::Write& db) { return accounts::setup_code(db); }).value();
    EXPECT_EQ(header(browser.get("/"), "Location"), "/setup");
    auto page = browser.get("/setup");
    ASSERT_EQ(page.status, 200);
    auto fields = [&](const std::string& c) {
        return Fields{
            {"code", c}, {"username", "root_admin"}, {"email", "r@example.com"}, {"password", "long enough"}
        };
    };
    EXPECT_EQ(browser.submit("/setup", page, fields("wrong")).status, 422);
    EXPECT_EQ(browser.submit("/setup", page, fields("")).status, 422);
    EXPECT_EQ(header(browser.submit("/setup", page, fields(code)), "Location"), "/setup/next");
    EXPECT_TRUE(has(browser.get("/setup/next"), "You are its owner"));
    Fields wanted{{"title", "A \"quoted\" <name>"}, {"registrations", "closed"}};
    auto asked = browser.submit("/setup/next", browser.get("/setup/next"), wanted);
    EXPECT_TRUE(has(
        asked, "title = &quot;A \\&quot;quoted\\&quot; &lt;name&gt;&quot;\nregistrations = &quot;closed&quot;"
    )) << asked.body;
    EXPECT_FALSE(has(browser.get("/setup/next?title=x&smtp_url=smtp://else.example"), "else.example"));
    EXPECT_EQ(browser.post("/setup/next", wanted).status, 422);
    EXPECT_TRUE(has(browser.get("/"), "@root_admin"));
    EXPECT_EQ(browser.get("/setup").status, 404);
    EXPECT_EQ(browser.submit("/setup", page, fields(code)).status, 404);
}

struct Throttles : Stage {
    http::Limiter counting;
};
ON_EACH_DATABASE(Throttles);

TEST_P(Throttles, count_tries_at_one_name_from_anywhere) {
    auto* route = router.find(http::Method::post, "/auth/sign_in").route;
    ASSERT_TRUE(route);
    http::RateLimitStatus pair_state;
    for (int i = 0; i < 26; ++i) {
        auto address = "192.0.2." + std::to_string(i);
        http::RateLimitKey caller{0, 0, address, i % 2 ? "Alice" : " alice", false};
        pair_state = counting.request(*route, caller, {database.clock_ms});
        EXPECT_EQ(pair_state.refused, i == 25) << i;
    }
    http::RateLimitKey other{0, 0, "192.0.2.99", "bob", false};
    EXPECT_FALSE(counting.request(*route, other, {database.clock_ms}).refused);
}

struct Locked : Stage {
    Locked() : Stage(true) { user("owner"); }

    // From many addresses, with the login's name and its address.
    void others_try_passwords(const std::string& name) {
        for (int i = 0; i < 30; ++i) {
            address = "198.51.100." + std::to_string(i);
            Browser{*this}.sign_in(name, "wrong password");
        }
        address = "203.0.113.1";
    }
};
ON_EACH_DATABASE(Locked);

TEST_P(Locked, logins_open_to_a_browser_that_has_signed_in_before) {
    Browser known{*this}, strange{*this};
    EXPECT_EQ(known.sign_in("owner", "password of owner").status, 302);
    known.submit("/auth/sign_out", known.get("/auth/sign_out"), {});
    for (const std::string name : {"owner", "owner@example.com"}) {
        others_try_passwords(name);
        EXPECT_EQ(strange.sign_in(name, "password of owner").status, 429);
        EXPECT_EQ(known.sign_in(name, "wrong password").status, 422);
        EXPECT_EQ(known.sign_in(name, "password of owner").status, 302);
        known.submit("/auth/sign_out", known.get("/auth/sign_out"), {});
    }
}

TEST_P(Locked, logins_open_to_no_browser_of_somebody_else) {
    user("eve");
    Browser eve{*this};
    EXPECT_EQ(eve.sign_in("eve", "password of eve").status, 302);
    eve.submit("/auth/sign_out", eve.get("/auth/sign_out"), {});
    others_try_passwords("owner");
    EXPECT_EQ(eve.sign_in("owner", "password of owner").status, 429);
    EXPECT_EQ(eve.sign_in("eve", "password of eve").status, 302);
}

TEST_P(Locked, logins_open_to_who_reads_the_owners_mail) {
    Browser strange{*this};
    others_try_passwords("owner");
    EXPECT_EQ(strange.sign_in("owner", "password of owner").status, 429);
    auto page = strange.get("/auth/password/new");
    strange.submit("/auth/password", page, {{"user[email]", "owner@example.com"}});
    auto secret = events.resets.at(0).secret;
    auto choose = strange.get("/auth/password/edit?reset_password_token=" + secret);
    auto changed = strange.submit(
        "/auth/password",
        choose,
        {{"_method", "put"},
         {"user[reset_password_token]", secret},
         {"user[password]", "a new password"},
         {"user[password_confirmation]", "a new password"}}
    );
    EXPECT_EQ(changed.status, 200);
    EXPECT_EQ(strange.sign_in("owner", "a new password").status, 302);
}

}  // namespace

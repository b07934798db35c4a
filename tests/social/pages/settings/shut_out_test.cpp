// SPDX-License-Identifier: AGPL-3.0-or-later
// Whom staff has shut out: they read what was decided and appeal against it, and nothing else opens.
#include "http/body/urlencoded.hpp"
#include "social/accounts/account.hpp"
#include "social/moderation/strike.hpp"
#include "social/oauth/session.hpp"
#include "social/oauth/stage.hpp"

namespace {

using namespace oauth_test;

const db::Command test_suspend{
    "test_shut_out_suspend", "UPDATE accounts SET suspended_at = $2 WHERE id = $1"
};
const std::string decisions = "/settings/account/strikes";

bool has(const http::Response& response, std::string_view text) {
    return response.body.find(text) != std::string::npos;
}

struct ShutOut : Stage {
    base::UserId owner = user("root", accounts::owner), alice = user("alice");
    Browser browser{*this};
    base::AccountId account = read([&](db::Read& db) { return accounts::user(db, alice).account_id; });

    void suspend() {
        write([&](db::Write& db) { db.run(test_suspend, account, db.now()); });
    }
    void freeze() {
        write([&](db::Write& db) { accounts::set_disabled(db, alice, true); });
    }
    std::string struck(moderation::StrikeAction action = moderation::StrikeAction::suspend) {
        auto id = write([&](db::Write& db) {
            moderation::Strike strike;
            strike.account_id = account;
            strike.action = action;
            strike.text = "Be kinder.";
            strike.created_at = db.now();
            return moderation::strike(db, strike, true);
        });
        return decisions + "/" + std::to_string(id.value) + "/appeal";
    }
    void expect_nothing_else_opens() {
        for (const auto* path :
             {"/settings/account",
              "/settings/account/password",
              "/settings/account/email",
              "/settings/account/second_factor",
              "/settings/account/sessions",
              "/settings/account/move",
              "/settings/account/deletion"})
            EXPECT_EQ(header(browser.get(path), "Location"), decisions) << path;
        EXPECT_TRUE(
            header(browser.get("/oauth/authorized_applications"), "Location").starts_with("/auth/sign_in")
        );
        auto app = client();
        auto consent = "/oauth/authorize?response_type=code&client_id=" + app.id +
                       "&redirect_uri=" + http::percent_encoded("https://app.example/cb");
        EXPECT_TRUE(header(browser.get(consent), "Location").starts_with("/auth/sign_in"));
        EXPECT_EQ(browser.get("/web/start").status, 401);
        EXPECT_FALSE(has(browser.get("/"), "signed in as"));
        for (const auto& [name, value] : browser.cookies)
            for (const auto& secret : {value, value.substr(0, value.find('.'))})
                EXPECT_EQ(
                    read([&](db::Read& db) { return oauth::look_up_session(db, secret).state; }),
                    http::TokenState::unknown
                ) << name;
    }
};
ON_EACH_DATABASE(ShutOut);

TEST_P(ShutOut, people_are_led_to_what_was_decided_and_appeal) {
    suspend();
    auto target = struck();
    EXPECT_EQ(header(browser.sign_in("alice", "wrong"), "Location"), "");
    EXPECT_EQ(header(browser.sign_in("alice"), "Location"), decisions);
    auto page = browser.get(decisions);
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(header(page, "Cache-Control"), "private, no-store");
    EXPECT_TRUE(has(page, "Be kinder.") && has(page, "nothing else is open")) << page.body;
    EXPECT_FALSE(has(page, "href=\"/settings/account\""));
    expect_nothing_else_opens();
    EXPECT_EQ(browser.post(target, {{"text", "I was."}, {"authenticity_token", "wrong"}}).status, 422);
    EXPECT_EQ(
        header(browser.submit(target, page, {{"text", "I was."}}), "Location"), decisions + "?done=appeal"
    );
    EXPECT_TRUE(has(browser.get(decisions), "The moderators will look at it."));
    expect_nothing_else_opens();
}

TEST_P(ShutOut, frozen_logins_are_so_too) {
    freeze();
    struck(moderation::StrikeAction::disable);
    EXPECT_EQ(
        header(browser.sign_in("alice", "password of alice", "?return_to=/settings/account"), "Location"),
        decisions
    );
    EXPECT_TRUE(has(browser.get(decisions), "Be kinder."));
    expect_nothing_else_opens();
}

TEST_P(ShutOut, open_sessions_show_nothing_but_that_any_more) {
    browser.sign_in("alice");
    EXPECT_EQ(browser.get("/settings/account").status, 200);
    suspend();
    struck();
    EXPECT_TRUE(has(browser.get(decisions), "Be kinder."));
    expect_nothing_else_opens();
}

TEST_P(ShutOut, people_sign_out_and_are_back_when_it_was_taken_back) {
    suspend();
    browser.sign_in("alice");
    auto page = browser.get(decisions);
    EXPECT_TRUE(has(page, "Nothing."));
    write([&](db::Write& db) { db.run(test_suspend, account, std::optional<base::Time>()); });
    EXPECT_EQ(browser.get("/settings/account").status, 200);
    suspend();
    EXPECT_EQ(header(browser.submit("/auth/sign_out", page, {}), "Location"), "/");
    EXPECT_TRUE(header(browser.get(decisions), "Location").starts_with("/auth/sign_in"));
}

TEST_P(ShutOut, accounts_leave_the_others_of_a_browser_alone) {
    user("bob");
    browser.sign_in("bob");
    suspend();
    struck();
    auto page = browser.get("/auth/sign_in?add=1");
    auto answer = browser.submit(
        "/auth/sign_in", page, {{"user[email]", "alice"}, {"user[password]", "password of alice"}}
    );
    EXPECT_EQ(header(answer, "Location"), decisions);
    EXPECT_TRUE(has(browser.get(decisions), "Be kinder."));
    EXPECT_TRUE(has(browser.get("/settings/account"), "bob@example.com"));
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// Pages of signing in and of one's account speak the language of who reads them.
#include "social/oauth/stage.hpp"

namespace {

using namespace oauth_test;

const db::Command test_set_locale{"test_set_locale", "UPDATE users SET locale = $2 WHERE id = $1"};

bool has(const http::Response& response, std::string_view text) {
    return response.body.find(text) != std::string::npos;
}

struct PageLanguage : Stage {
    base::UserId owner = user("root", accounts::owner), alice = user("alice");

    http::Response page(
        const std::string& target, const std::string& wanted, const std::string& cookie = ""
    ) {
        http::Headers headers{{"Accept-Language", wanted}};
        if (!cookie.empty()) headers.emplace_back("Cookie", cookie);
        return send(http::Method::get, target, "", std::move(headers));
    }
};
ON_EACH_DATABASE(PageLanguage);

TEST_P(PageLanguage, is_what_the_browser_asks_for) {
    auto german = page("/auth/sign_in", "de-CH,de;q=0.9,en;q=0.1");
    EXPECT_TRUE(has(german, "<html lang=\"de\" dir=\"ltr\">") && has(german, "Passwort vergessen?"))
        << german.body;
    EXPECT_TRUE(has(german, "<title>Anmelden - "));
    EXPECT_FALSE(has(german, "Forgot"));
    EXPECT_TRUE(header(german, "Vary").find("Accept-Language") != std::string::npos);
    EXPECT_TRUE(has(page("/auth/sign_in", "ar"), "<html lang=\"ar\" dir=\"rtl\">"));
    for (std::string none : {"", "sv", ";;;"}) {
        auto english = page("/auth/sign_in", none);
        EXPECT_TRUE(has(english, "<html lang=\"en\" dir=\"ltr\">") && has(english, "Forgot your password?"));
    }
}

TEST_P(PageLanguage, is_what_its_user_chose_whatever_the_browser_says) {
    Browser browser{*this};
    browser.sign_in("alice");
    std::string cookie;
    for (const auto& [name, value] : browser.cookies)
        cookie += (cookie.empty() ? "" : "; ") + name + "=" + value;
    EXPECT_TRUE(has(page("/settings/account", "de", cookie), "Wo du angemeldet bist")) << "nothing is chosen";
    auto choose = [&](const std::string& language) {
        write([&](db::Write& db) {
            oauth::save_web_settings(db, alice, R"({"dunlin":{"language":")" + language + R"("}})");
        });
    };
    choose("fr");
    auto french = page("/settings/account/password?done=password", "de", cookie);
    EXPECT_TRUE(has(french, "Changer votre mot de passe") && has(french, "Votre mot de passe a changé."))
        << french.body;
    choose("zh-Hans");
    EXPECT_TRUE(has(page("/settings/account", "de", cookie), "<html lang=\"zh-Hans\" dir=\"ltr\">"));
    EXPECT_EQ(read([&](db::Read& db) { return accounts::user(db, alice).locale; }), "zh-CN")
        << "as apps call it";
    choose("tlh");
    EXPECT_TRUE(has(page("/settings/account", "de", cookie), "<html lang=\"zh-Hans\""))
        << "which nobody speaks";
    choose("");
    EXPECT_TRUE(has(page("/settings/account", "de", cookie), "Wo du angemeldet bist"));
}

TEST_P(PageLanguage, is_what_an_app_chose_at_sign_up_until_another_is_chosen) {
    Browser browser{*this};
    browser.sign_in("alice");
    std::string cookie;
    for (const auto& [name, value] : browser.cookies)
        cookie += (cookie.empty() ? "" : "; ") + name + "=" + value;
    write([&](db::Write& db) { db.run(test_set_locale, alice, "zh-CN"); });
    write([&](db::Write& db) {
        oauth::save_web_settings(db, alice, R"({"dunlin":{"language":"","scheme":"dark"}})");
    });
    EXPECT_TRUE(has(page("/settings/account", "de", cookie), "<html lang=\"zh-Hans\""));
    write([&](db::Write& db) { oauth::save_web_settings(db, alice, R"([{"dunlin":7}])"); });
    EXPECT_TRUE(has(page("/settings/account", "de", cookie), "<html lang=\"zh-Hans\""));
}

TEST_P(PageLanguage, is_that_of_what_went_wrong) {
    http::Headers headers{{"Accept-Language", "ja"}};
    auto form_page = send(http::Method::get, "/auth/sign_in", "", headers);
    auto cookie = header(form_page, "Set-Cookie");
    headers.emplace_back("Cookie", cookie.substr(0, cookie.find(';')));
    auto fields = Browser::hidden_fields(form_page.body);
    fields.push_back({"user[email]", "alice"});
    fields.push_back({"user[password]", "wrong"});
    auto wrong = send(http::Method::post, "/auth/sign_in", form(fields), headers);
    EXPECT_EQ(wrong.status, 422);
    EXPECT_TRUE(has(wrong, "パスワードが一致しません。")) << wrong.body;
    auto stale = send(http::Method::post, "/auth/sign_in", form({{"user[email]", "alice"}}), headers);
    EXPECT_EQ(stale.status, 422);
    EXPECT_TRUE(has(stale, "<html lang=\"ja\"") && !has(stale, "This ")) << stale.body;
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// Pages of signing in and of one's account speak the language of who reads them.
#include "base/text/spoken_languages.hpp"
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

// ---- the page on which an app asks ----

struct Consent : PageLanguage {
    const std::string own_app = "urn:ietf:wg:oauth:2.0:oob";
    Client app = client("read write:bookmarks admin:read:ip_blocks", own_app);
    Browser browser{*this};

    Consent() { browser.sign_in("alice"); }
    std::string cookie() const {
        std::string out;
        for (const auto& [name, value] : browser.cookies)
            out += (out.empty() ? "" : "; ") + name + "=" + value;
        return out;
    }
    http::Response ask(const std::string& language) {
        Fields fields{
            {"response_type", "code"},
            {"client_id", app.id},
            {"redirect_uri", own_app},
            {"scope", "read write:bookmarks admin:read:ip_blocks"}
        };
        return page("/oauth/authorize?" + form(fields), language, cookie());
    }
    http::Response answer(Fields fields, const std::string& language) {
        for (auto& hidden : Browser::hidden_fields(ask(language).body)) fields.push_back(std::move(hidden));
        return send(
            http::Method::post,
            "/oauth/authorize",
            form(fields),
            {{"Cookie", cookie()}, {"Accept-Language", language}}
        );
    }
};
ON_EACH_DATABASE(Consent);

TEST_P(Consent, is_asked_for_in_the_language_of_the_page) {
    auto german = ask("de");
    EXPECT_TRUE(has(german, "An app dein Konto nutzen lassen?") && has(german, ">Erlauben<")) << german.body;
    EXPECT_TRUE(has(german, "Alles in deinem Konto sehen"));
    EXPECT_TRUE(has(german, "Ändern: Lesezeichen <code>write:bookmarks</code>"));
    EXPECT_TRUE(has(german, "In der Moderation sehen: Gesperrte IP-Adressen"));
    EXPECT_FALSE(has(german, "Allow") || has(german, "Deny"));
    for (const auto& language : base::text::spoken_languages()) {
        auto shown = ask(language.code);
        EXPECT_TRUE(has(shown, "<html lang=\"" + language.code + "\""));
        EXPECT_EQ(has(shown, "asks for access"), language.code == "en") << language.code;
    }
}

TEST_P(Consent, is_refused_and_given_in_that_language_too) {
    auto refused = answer({{"_method", "delete"}}, "fr");
    EXPECT_TRUE(has(refused, "<html lang=\"fr\"") && has(refused, "Vous avez refusé")) << refused.body;
    auto given = header(answer({}, "pl"), "Location");
    ASSERT_TRUE(given.starts_with("/oauth/authorize/native?code=")) << given;
    EXPECT_TRUE(has(page(given, "pl", cookie()), "<html lang=\"pl\""));
    auto unknown = page("/oauth/authorize?client_id=nobody", "ja", cookie());
    EXPECT_TRUE(has(unknown, "<html lang=\"ja\"") && !has(unknown, "This server")) << unknown.body;
}

// ---- chosen by a form ----

struct Choice : PageLanguage {
    http::Response choose(
        const std::string& language, const std::string& cookie = "", const std::string& back = "/about"
    ) {
        return choose_from(site.public_url, language, cookie, back);
    }
    http::Response choose_from(
        const std::string& origin, const std::string& language, const std::string& cookie,
        const std::string& back
    ) {
        http::Headers headers{{"Cookie", cookie}};
        if (!origin.empty()) headers.emplace_back("Origin", origin);
        return send(
            http::Method::post, "/language", form({{"language", language}, {"return_to", back}}), headers
        );
    }
    static std::string cookie_of(const http::Response& answer) {
        auto set = header(answer, "Set-Cookie");
        return set.substr(0, set.find(';'));
    }
};
ON_EACH_DATABASE(Choice);

TEST_P(Choice, is_offered_to_visitors_on_public_pages_and_where_they_sign_in) {
    for (std::string path : {"/about", "/explore", "/@alice", "/auth/sign_in?return_to=%2Fhome"}) {
        auto shown = page(path, "it");
        EXPECT_TRUE(has(shown, "<form class=\"languages\" action=\"/language\"")) << path;
        EXPECT_TRUE(has(shown, "<option value=\"it\" lang=\"it\" selected>Italiano</option>")) << path;
    }
    EXPECT_TRUE(
        has(page("/auth/sign_in?return_to=%2Fhome", ""),
            "name=\"return_to\" value=\"/auth/sign_in?return_to=%2Fhome\"")
    );
}

TEST_P(Choice, is_kept_in_a_cookie_and_counts_more_than_what_the_browser_asks_for) {
    auto chosen = choose("ko");
    EXPECT_EQ(chosen.status, 302);
    EXPECT_EQ(header(chosen, "Location"), "/about");
    auto cookie = cookie_of(chosen);
    for (std::string path : {"/about", "/@alice", "/auth/sign_in", "/auth/password/new"})
        EXPECT_TRUE(has(page(path, "de", cookie), "<html lang=\"ko\"")) << path;
    EXPECT_TRUE(has(page("/about", "de", cookie + "x"), "<html lang=\"de\"")) << "nobody speaks that";
    EXPECT_EQ(cookie_of(choose("tlh")), "");
}

TEST_P(Choice, leads_back_to_the_form_from_the_answer_to_it) {
    http::Headers headers{{"Referer", site.public_url + "/auth/sign_in?return_to=%2Fhome"}};
    auto first = send(http::Method::get, "/auth/sign_in", "", headers);
    headers.emplace_back("Cookie", cookie_of(first));
    auto fields = Browser::hidden_fields(first.body);
    fields.push_back({"user[email]", "alice"});
    fields.push_back({"user[password]", "wrong"});
    auto wrong = send(http::Method::post, "/auth/sign_in", form(fields), headers);
    EXPECT_TRUE(has(wrong, "name=\"return_to\" value=\"/auth/sign_in?return_to=%2Fhome\"")) << wrong.body;
}

TEST_P(Choice, leads_nowhere_else) {
    for (std::string away :
         {"https://evil.example/", "//evil.example", "/\\evil.example", "", "/a b", "evil"})
        EXPECT_EQ(header(choose("de", "", away), "Location"), "/") << away;
}

TEST_P(Choice, is_not_made_by_other_sites) {
    for (std::string origin : {"https://evil.example", "null", ""}) {
        auto answer = choose_from(origin, "ko", "", "/about");
        EXPECT_EQ(answer.status, 422) << origin;
        EXPECT_EQ(cookie_of(answer), "") << origin;
    }
}

TEST_P(Choice, of_who_has_an_account_is_kept_there_and_counts_more_than_the_cookie) {
    Browser browser{*this};
    browser.sign_in("alice");
    auto cookies = [&] {
        std::string out;
        for (const auto& [name, value] : browser.cookies)
            out += (out.empty() ? "" : "; ") + name + "=" + value;
        return out;
    };
    auto language = [&](const std::string& path, const std::string& more = "") {
        auto body = page(path, "de", cookies() + more).body;
        auto at = body.find("<html lang=\"") + 12;
        return body.substr(at, body.find('"', at) - at);
    };
    auto saved = browser.submit(
        "/settings/account/language", browser.get("/settings/account/language"), {{"language", "pl"}}
    );
    EXPECT_EQ(header(saved, "Location"), "/settings/account/language?done=language");
    EXPECT_EQ(language("/settings/account"), "pl");
    auto korean = "; " + cookie_of(choose("ko"));
    EXPECT_EQ(language("/settings/account", korean), "pl");
    EXPECT_EQ(language("/about", korean), "pl");
    read([&](db::Read& db) {
        EXPECT_EQ(accounts::user(db, alice).locale, "pl");
        EXPECT_EQ(oauth::web_settings(db, alice), R"({"dunlin":{"language":"pl"}})") << "for the client";
    });
    choose("ja", cookies());
    EXPECT_EQ(language("/settings/account"), "ja") << "by the form in the foot, too";
    browser.submit(
        "/settings/account/language", browser.get("/settings/account/language"), {{"language", ""}}
    );
    EXPECT_EQ(language("/settings/account"), "de") << "that of the browser";
    EXPECT_EQ(
        browser.post("/settings/account/language", {{"language", "fr"}, {"authenticity_token", "x"}}).status,
        422
    );
}

TEST_P(Choice, of_a_visitor_is_that_of_the_account_they_make) {
    auto cookie = cookie_of(choose("nl"));
    auto shown = page("/auth/sign_up", "", cookie);
    auto visitor = cookie_of(shown);
    auto fields = Browser::hidden_fields(shown.body);
    for (auto [name, value] : Fields{
             {"user[account_attributes][username]", "bob"},
             {"user[email]", "bob@example.com"},
             {"user[password]", "a long password"},
             {"user[password_confirmation]", "a long password"},
             {"user[agreement]", "1"}
         })
        fields.emplace_back(name, value);
    auto made = send(http::Method::post, "/auth", form(fields), {{"Cookie", cookie + "; " + visitor}});
    ASSERT_EQ(made.status, 200) << made.body;
    read([](db::Read& db) { EXPECT_EQ(accounts::find_by_email(db, "bob@example.com")->locale, "nl"); });
}

}  // namespace

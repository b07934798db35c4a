// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/sign_up.hpp"

#include "social/oauth/stage.hpp"

namespace {

using namespace oauth_test;
using accounts::SignUp;

const SignUp good{"bob", "bob@example.com", "long enough", true, {}, {}, {}, {}};

struct SignUps : Stage {
    SignUps() {
        user("root", accounts::owner);
        events.activated.clear();
    }

    std::string errors(const SignUp& form) {
        std::string out;
        for (const auto& error : read([&](db::Read& db) { return accounts::sign_up_errors(db, form); }))
            out += (out.empty() ? "" : " ") + error.field + ":" + error.code;
        return out;
    }
    std::string with(auto change) {
        auto form = good;
        change(form);
        return errors(form);
    }
    std::string app_token(const std::string& scopes = "read write") {
        auto app = client("read write follow");
        return text(
            boost::json::parse(post(
                                   "/oauth/token",
                                   {{"grant_type", "client_credentials"},
                                    {"client_id", app.id},
                                    {"client_secret", app.secret},
                                    {"scope", scopes}}
            ).body),
            "access_token"
        );
    }
    Fields fields() {
        return {
            {"username", "bob"},
            {"email", "bob@example.com"},
            {"password", "long enough"},
            {"agreement", "true"},
            {"locale", "de"}
        };
    }
};
ON_EACH_DATABASE(SignUps);

TEST_P(SignUps, are_checked_field_by_field) {
    user("alice");
    EXPECT_EQ(errors(good), "");
    EXPECT_EQ(errors({}), "username:ERR_BLANK email:ERR_BLANK password:ERR_BLANK agreement:ERR_ACCEPTED");
    EXPECT_EQ(with([](auto& f) { f.username = "Alice"; }), "username:ERR_TAKEN");
    EXPECT_EQ(with([](auto& f) { f.username = "Admin"; }), "username:ERR_RESERVED");
    EXPECT_EQ(with([](auto& f) { f.username = "not ok"; }), "username:ERR_INVALID");
    EXPECT_EQ(with([](auto& f) { f.username = std::string(31, 'a'); }), "username:ERR_TOO_LONG");
    EXPECT_EQ(with([](auto& f) { f.email = "ALICE@example.com"; }), "email:ERR_TAKEN");
    EXPECT_EQ(with([](auto& f) { f.email = "nonsense"; }), "email:ERR_INVALID");
    EXPECT_EQ(with([](auto& f) { f.password = "1234567"; }), "password:ERR_TOO_SHORT");
    EXPECT_EQ(with([](auto& f) { f.password = std::string(73, 'x'); }), "password:ERR_TOO_LONG");
    EXPECT_EQ(with([](auto& f) { f.password = "ÄÖÜäöüß€"; }), "");
    EXPECT_EQ(with([](auto& f) { f.agreement = false; }), "agreement:ERR_ACCEPTED");
    EXPECT_EQ(with([](auto& f) { f.reason = std::string(421, 'x'); }), "reason:ERR_TOO_LONG");
}

TEST_P(SignUps, ask_for_an_age_where_the_site_does) {
    auto born = [&](std::string date) { return with([&](auto& f) { f.date_of_birth = std::move(date); }); };
    EXPECT_EQ(born(""), "");
    site.min_age = 16;  // today is 2026-01-01
    EXPECT_EQ(born(""), "date_of_birth:ERR_BLANK");
    EXPECT_EQ(born("tomorrow"), "date_of_birth:ERR_INVALID");
    EXPECT_EQ(born("2010-01-02"), "date_of_birth:ERR_BELOW_LIMIT");
    EXPECT_EQ(born("2010-01-01"), "");
}

TEST_P(SignUps, by_app_give_a_token_that_waits_for_the_confirmation) {
    auto response = post("/api/v1/accounts", fields(), app_token());
    ASSERT_EQ(response.status, 200) << response.body;
    auto token = boost::json::parse(response.body);
    EXPECT_EQ(text(token, "scope"), "read write follow");
    EXPECT_EQ(text(token, "token_type"), "Bearer");
    EXPECT_EQ(token.at("created_at").as_int64(), database.clock_ms / 1000);
    auto bearer = text(token, "access_token");
    EXPECT_EQ(get("/api/v1/apps/verify_credentials", bearer).status, 200);
    EXPECT_EQ(get("/api/v1/emails/check_confirmation", bearer).body, "false");
    ASSERT_EQ(events.confirmations.size(), 1u);
    EXPECT_EQ(get("/auth/confirmation?confirmation_token=" + events.confirmations[0].secret).status, 200);
    EXPECT_EQ(get("/api/v1/emails/check_confirmation", bearer).body, "true");
    read([](db::Read& db) { EXPECT_EQ(accounts::find_by_email(db, "bob@example.com")->locale, "de"); });
}

TEST_P(SignUps, take_a_time_zone_that_there_is) {
    auto zone_of = [&](const std::string& name, const std::string& zone) {
        auto form = fields();
        form[0].second = name;
        form[1].second = name + "@example.com";
        form.emplace_back("time_zone", zone);
        EXPECT_EQ(post("/api/v1/accounts", form, app_token()).status, 200);
        return read([&](db::Read& db) {
            return accounts::find_by_email(db, name + "@example.com")->time_zone.value_or("none");
        });
    };
    EXPECT_EQ(zone_of("bob", "Europe/Berlin"), "Europe/Berlin");
    EXPECT_EQ(zone_of("carol", "Middle Earth/Shire"), "none");
}

TEST_P(SignUps, take_a_language_in_the_ways_that_apps_write_it) {
    int next = 0;
    auto locale_of = [&](const std::string& locale) {
        auto form = fields();
        auto name = "speaker" + std::to_string(next++);
        form[0].second = name;
        form[1].second = name + "@example.com";
        form[4].second = locale;
        EXPECT_EQ(post("/api/v1/accounts", form, app_token()).status, 200);
        return read([&](db::Read& db) { return accounts::find_by_email(db, name + "@example.com")->locale; });
    };
    EXPECT_EQ(locale_of("pt-BR"), "pt-BR");
    EXPECT_EQ(locale_of("zh-CN"), "zh-CN");
    EXPECT_EQ(locale_of("pt_BR"), "pt-BR");
    EXPECT_EQ(locale_of("zh-Hans-CN"), "zh-Hans-CN");
    for (auto none : {"", "x", "german", "de-", "de--AT", "-", "de-x", "de;q=1", "zh-Hans-CN-more"})
        EXPECT_EQ(locale_of(none), "") << none;
}

TEST_P(SignUps, need_no_confirmation_where_the_site_says_so) {
    site.confirmation_required = false;
    ASSERT_EQ(post("/api/v1/accounts", fields(), app_token()).status, 200);
    EXPECT_TRUE(events.confirmations.empty());
    EXPECT_EQ(events.activated.size(), 1u);
}

TEST_P(SignUps, that_fail_say_why) {
    auto token = app_token();
    auto response = post(
        "/api/v1/accounts",
        {{"username", "bob"}, {"email", "bob@example.com"}, {"password", "long enough"}},
        token
    );
    EXPECT_EQ(response.status, 422);
    EXPECT_EQ(
        response.body,
        R"({"error":"Validation failed: Agreement must be accepted","details":{"agreement":[)"
        R"({"error":"ERR_ACCEPTED","description":"must be accepted"}]}})"
    );
    EXPECT_EQ(hashings, 0);
}

TEST_P(SignUps, are_for_apps_alone_and_while_registrations_are_open) {
    EXPECT_EQ(post("/api/v1/accounts", fields()).status, 401);
    EXPECT_EQ(post("/api/v1/accounts", fields(), app_token("read")).status, 403);
    auto user_token =
        text(boost::json::parse(post("/api/v1/accounts", fields(), app_token()).body), "access_token");
    auto second = post("/api/v1/accounts", fields(), user_token);
    EXPECT_EQ(second.status, 403);
    // In the language that was chosen with the first.
    EXPECT_EQ(second.body, R"({"error":"Dafür muss sich die App selbst ausweisen"})");
    site.registrations_open = false;
    EXPECT_EQ(post("/api/v1/accounts", {{"username", "x"}}, app_token()).status, 403);
}

TEST_P(SignUps, may_have_the_letter_sent_again_to_another_address) {
    auto app = app_token();
    auto bearer = text(boost::json::parse(post("/api/v1/accounts", fields(), app).body), "access_token");
    EXPECT_EQ(post("/api/v1/emails/confirmations", {}, bearer).body, "{}");
    EXPECT_EQ(post("/api/v1/emails/confirmations", {{"email", "new@example.com"}}, bearer).body, "{}");
    EXPECT_EQ(post("/api/v1/emails/confirmations", {{"email", "nonsense"}}, bearer).status, 422);
    EXPECT_EQ(events.confirmations.size(), 3u);
    EXPECT_EQ(get("/auth/confirmation?confirmation_token=" + events.confirmations[1].secret).status, 422);
    EXPECT_EQ(get("/auth/confirmation?confirmation_token=" + events.confirmations[2].secret).status, 200);
    EXPECT_EQ(post("/api/v1/emails/confirmations", {}, bearer).status, 403);
    read([](db::Read& db) { EXPECT_TRUE(accounts::find_by_email(db, "new@example.com")); });
    EXPECT_EQ(get("/api/v1/emails/check_confirmation").status, 401);
}

}  // namespace

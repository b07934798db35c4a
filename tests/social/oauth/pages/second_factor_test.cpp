// SPDX-License-Identifier: AGPL-3.0-or-later
// What stands between a stolen password and an account, on the real routes.
#include "social/accounts/second_factor/second_factor.hpp"

#include "base/sign_in/authenticator.hpp"
#include "base/signing.hpp"
#include "social/accounts/second_factor/passkey.hpp"
#include "social/accounts/users/role.hpp"
#include "social/oauth/stage.hpp"
#include "support/passkey.hpp"

namespace {

using namespace oauth_test;

bool has(const http::Response& response, std::string_view text) {
    return response.body.find(text) != std::string::npos;
}

const db::Query<std::string> test_secret_of{
    "test_secret_of", "SELECT secret FROM authenticators WHERE user_id = $1"
};
const db::Command test_put_recovery_code{
    "test_put_recovery_code", "INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, $2)"
};

struct SecondFactor : Stage {
    base::UserId owner = user("root", accounts::owner), alice = user("alice");
    Browser browser{*this}, thief{*this};

    std::string key(base::UserId who) {
        return base::from_base64(read([&](db::Read& db) { return db.one(test_secret_of, who); })).value();
    }
    std::string code(base::UserId who, std::int64_t drift = 0) {
        auto step = base::totp_step(base::Time{database.clock_ms}) + drift;
        return base::totp(key(who), step);
    }
    // With an app and recovery codes.
    std::vector<std::string> set_up(base::UserId who) {
        write([&](db::Write& db) { accounts::begin_authenticator(db, who); });
        auto first = code(who);
        EXPECT_TRUE(write([&](db::Write& db) { return accounts::confirm_authenticator(db, who, first); }));
        pass(60);
        return write([&](db::Write& db) { return accounts::new_recovery_codes(db, who); });
    }
    http::Response give(Browser& from, const std::string& code) {
        return from.submit("/auth/second_factor", from.get("/auth/second_factor"), {{"code", code}});
    }
    static bool signed_in(Browser& who) {
        return who.get("/?plain").body.find("signed in as") != std::string::npos;
    }
};
ON_EACH_DATABASE(SecondFactor);

TEST_P(SecondFactor, lets_in_with_a_code_after_the_password) {
    set_up(alice);
    auto asked = browser.sign_in("alice", "password of alice", "?return_to=/settings/account");
    EXPECT_EQ(header(asked, "Location"), "/auth/second_factor");
    EXPECT_FALSE(signed_in(browser));
    auto entered = give(browser, code(alice));
    EXPECT_EQ(header(entered, "Location"), "/settings/account");
    EXPECT_TRUE(signed_in(browser));
    EXPECT_EQ(header(browser.get("/auth/second_factor"), "Location"), "/auth/sign_in") << "over";
}

TEST_P(SecondFactor, keeps_out_who_has_the_password_alone) {
    set_up(alice);
    thief.sign_in("alice");
    for (auto path : {"/settings/account", "/oauth/authorized_applications"})
        EXPECT_TRUE(header(thief.get(path), "Location").starts_with("/auth/sign_in")) << path;
    auto app = client("read", "https://app.example/cb");
    auto asks =
        "/oauth/"
        "authorize?response_type=code&scope=read&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&client_id=";
    EXPECT_TRUE(header(thief.get(asks + app.id), "Location").starts_with("/auth/sign_in"));
    EXPECT_EQ(thief.get("/web/start").status, 401);
    Fields grant{
        {"grant_type", "password"},
        {"username", "alice@example.com"},
        {"password", "password of alice"},
        {"client_id", app.id},
        {"client_secret", app.secret},
        {"scope", "read"}
    };
    EXPECT_EQ(text(boost::json::parse(post("/oauth/token", grant).body), "error"), "unsupported_grant_type");
    EXPECT_FALSE(signed_in(thief));
}

TEST_P(SecondFactor, takes_no_code_twice) {
    set_up(alice);
    auto once = code(alice);
    browser.sign_in("alice");
    EXPECT_EQ(give(browser, once).status, 302);
    thief.sign_in("alice");
    EXPECT_EQ(give(thief, once).status, 422);
    EXPECT_EQ(give(thief, code(alice, -1)).status, 422) << "nor one of before";
    EXPECT_FALSE(signed_in(thief));
}

TEST_P(SecondFactor, takes_each_recovery_code_once) {
    auto codes = set_up(alice);
    ASSERT_EQ(codes.size(), 10u);
    browser.sign_in("alice");
    EXPECT_EQ(give(browser, " " + codes[3] + " ").status, 302);
    EXPECT_TRUE(signed_in(browser));
    thief.sign_in("alice");
    EXPECT_EQ(give(thief, codes[3]).status, 422);
    EXPECT_EQ(give(thief, codes[4]).status, 302);
    EXPECT_EQ(read([&](db::Read& db) { return accounts::second_factors(db, alice).recovery_codes; }), 8);
}

TEST_P(SecondFactor, takes_a_recovery_code_that_another_server_hashed_once) {
    const auto own = set_up(alice);
    const std::string other = "$2a$04$others";
    write([&](db::Write& db) { db.run(test_put_recovery_code, alice, other); });
    int tries = 0;
    services.answers<accounts::FindHash>([&](const accounts::FindHash& asked) {
        ++tries;
        EXPECT_EQ(asked.hashes, std::vector<std::string>{other}) << "ours cost nothing";
        return asked.given == "Their-Code" ? other : std::string();
    });
    thief.sign_in("alice");
    EXPECT_EQ(give(thief, "their-code").status, 422);
    EXPECT_EQ(tries, 1);
    EXPECT_EQ(give(thief, "000000").status, 422);
    EXPECT_EQ(give(thief, "000 000").status, 422);
    EXPECT_EQ(give(thief, "000-000").status, 422);
    EXPECT_EQ(tries, 1) << "that can only be one of the authenticator";
    browser.sign_in("alice");
    EXPECT_EQ(give(browser, " Their-Code ").status, 302);
    EXPECT_TRUE(signed_in(browser));
    EXPECT_EQ(tries, 2);
    EXPECT_EQ(give(thief, "Their-Code").status, 422) << "it was good once";
    EXPECT_EQ(tries, 2) << "none is left";
    EXPECT_EQ(give(thief, own[0]).status, 302);
}

TEST_P(SecondFactor, ends_the_attempt_after_five_wrong_codes_and_the_day_after_twenty) {
    set_up(alice);
    for (int attempt = 0; attempt < 4; ++attempt) {
        thief.sign_in("alice");
        for (int i = 0; i < 5; ++i) EXPECT_EQ(give(thief, "000000").status, 422);
        EXPECT_EQ(header(thief.get("/auth/second_factor"), "Location"), "/auth/sign_in");
    }
    thief.sign_in("alice");
    EXPECT_EQ(give(thief, code(alice)).status, 429) << "even the right one";
    pass(86'401);
    thief.sign_in("alice");
    EXPECT_EQ(give(thief, code(alice)).status, 302);
}

TEST_P(SecondFactor, waits_ten_minutes_and_not_beyond_a_new_password) {
    set_up(alice);
    browser.sign_in("alice");
    pass(601);
    EXPECT_EQ(header(browser.get("/auth/second_factor"), "Location"), "/auth/sign_in");
    browser.sign_in("alice");
    write([&](db::Write& db) { accounts::set_password(db, alice, "hash:another"); });
    EXPECT_EQ(header(browser.get("/auth/second_factor"), "Location"), "/auth/sign_in");
}

TEST_P(SecondFactor, counts_only_once_its_first_code_was_given) {
    write([&](db::Write& db) { accounts::begin_authenticator(db, alice); });
    browser.sign_in("alice");
    EXPECT_TRUE(signed_in(browser));
    EXPECT_FALSE(write([&](db::Write& db) { return accounts::confirm_authenticator(db, alice, "000000"); }));
}

TEST_P(SecondFactor, of_a_passkey_lets_in_and_serves_alone_where_the_person_is_verified) {
    support::Authenticator phone;
    base::PasskeyQuestion asked{"", site.public_url, "localhost"};
    auto add = [&](db::Write& db) {
        auto made = base::made_passkey(
            asked,
            support::Authenticator::client_data(asked, "webauthn.create"),
            phone.registration("localhost")
        );
        accounts::add_passkey(db, alice, made.value(), "Phone", db.now());
    };
    site.public_url = asked.origin = "http://localhost:3000";
    write(add);
    EXPECT_THROW(write(add), base::Invalid);
    auto answer = [&](const http::Response& page, int flags) {
        for (const auto& [name, value] : Browser::hidden_fields(page.body))
            if (name == "challenge") asked.challenge = base::from_base64(value).value();
        auto client_data = support::Authenticator::client_data(asked, "webauthn.get");
        auto data = phone.data("localhost", flags);
        return Fields{
            {"authenticity_token", Browser::hidden_fields(page.body)[0].second},
            {"challenge", base::base64url(asked.challenge)},
            {"credential", base::base64url(phone.id)},
            {"client_data", base::base64url(client_data)},
            {"authenticator_data", base::base64url(data)},
            {"signature", base::base64url(phone.sign(data, client_data))}
        };
    };
    pass(1);
    browser.sign_in("alice");
    auto page = browser.get("/auth/second_factor");
    EXPECT_TRUE(has(page, "data-passkey=\"get\""));
    EXPECT_NE(header(page, "Content-Security-Policy").find("script-src 'self'"), std::string::npos);
    auto fields = answer(page, 1);
    EXPECT_EQ(browser.post("/auth/second_factor", fields).status, 302);
    EXPECT_TRUE(signed_in(browser));

    pass(1);
    thief.sign_in("alice");
    thief.get("/auth/second_factor");
    EXPECT_NE(thief.post("/auth/second_factor", fields).status, 302) << "what another browser was asked";
    Browser alone{*this};
    auto unverified = alone.get("/auth/passkey");
    EXPECT_EQ(alone.post("/auth/passkey", answer(unverified, 1)).status, 422);
    auto verified = answer(alone.get("/auth/passkey"), 1 | 4);
    EXPECT_EQ(alone.post("/auth/passkey", verified).status, 302);
    EXPECT_TRUE(signed_in(alone));
    EXPECT_EQ(alone.post("/auth/passkey", verified).status, 422) << "answered before";
}

const db::Command require_of_everyone{
    "test_require_2fa", "UPDATE roles SET require_2fa = TRUE WHERE id = $1"
};

TEST_P(SecondFactor, may_be_required_by_a_role_and_opens_nothing_else_before) {
    auto mona = user("mona", accounts::moderator);
    auto token = write([&](db::Write& db) { return oauth::create_token(db, "mona", "read"); });
    browser.sign_in("mona");
    EXPECT_EQ(get("/api/v1/accounts/verify_credentials", token).status, 200);
    write([&](db::Write& db) { db.run(require_of_everyone, accounts::moderator); });

    EXPECT_EQ(get("/api/v1/accounts/verify_credentials", token).status, 403);
    EXPECT_EQ(browser.get("/web/start").status, 403);
    Browser other{*this};
    EXPECT_EQ(header(other.sign_in("mona"), "Location"), "/settings/account/second_factor");
    EXPECT_TRUE(has(other.get("/settings/account/second_factor"), "Your role asks for a second step"));
    for (auto path : {"", "/password", "/email", "/sessions", "/move", "/deletion"})
        EXPECT_EQ(
            header(other.get(std::string("/settings/account") + path), "Location"),
            "/settings/account/second_factor"
        ) << path;
    auto app = client("read", "https://app.example/cb");
    auto asks =
        "/oauth/"
        "authorize?response_type=code&scope=read&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&client_id=";
    EXPECT_EQ(header(other.get(asks + app.id), "Location"), "/settings/account/second_factor");

    set_up(mona);
    EXPECT_EQ(other.get("/settings/account").status, 200);
    EXPECT_EQ(get("/api/v1/accounts/verify_credentials", token).status, 200);
    EXPECT_EQ(browser.get("/web/start").status, 200);
    write([&](db::Write& db) { accounts::remove_second_factors(db, mona); });
    EXPECT_EQ(get("/api/v1/accounts/verify_credentials", token).status, 403);
}

}  // namespace

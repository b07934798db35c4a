// SPDX-License-Identifier: AGPL-3.0-or-later
// The pages of one's own account, as a browser without JavaScript uses them.
#include "base/sign_in/authenticator.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/second_factor/second_factor.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/moderation/strike.hpp"
#include "social/oauth/stage.hpp"

namespace {

using namespace oauth_test;

bool has(const http::Response& response, std::string_view text) {
    return response.body.find(text) != std::string::npos;
}

struct Settings : Stage {
    base::UserId owner = user("root", accounts::owner), alice = user("alice");
    Browser browser{*this}, other{*this};
    base::AccountId account_of_owner;

    Settings() {
        browser.sign_in("alice");
        other.sign_in("alice");
    }
    // With the proof of the page.
    http::Response send(
        const std::string& target, Fields fields, const std::string& page = "/settings/account"
    ) {
        return browser.submit(target, browser.get(page), std::move(fields));
    }
    accounts::User now() {
        return read([&](db::Read& db) { return accounts::user(db, alice); });
    }
    static bool signed_in(Browser& who) { return who.get("/settings/account").status == 200; }
    base::AccountId account_of(base::UserId id) {
        return read([&](db::Read& db) { return accounts::user(db, id).account_id; });
    }
};
ON_EACH_DATABASE(Settings);

TEST_P(Settings, are_for_who_is_signed_in_and_never_cached) {
    Browser nobody{*this};
    for (std::string path :
         {"",
          "/password",
          "/email",
          "/second_factor",
          "/sessions",
          "/move",
          "/transfer",
          "/strikes",
          "/deletion"}) {
        auto page = browser.get("/settings/account" + path);
        EXPECT_EQ(page.status, 200) << path;
        EXPECT_EQ(header(page, "Cache-Control"), "private, no-store") << path;
        EXPECT_EQ(page.body.find("<script"), page.body.npos) << path;
        EXPECT_TRUE(
            header(nobody.get("/settings/account" + path), "Location").starts_with("/auth/sign_in?return_to=")
        ) << path;
    }
    EXPECT_EQ(header(browser.get("/auth/edit"), "Location"), "/settings/account");
}

TEST_P(Settings, take_no_form_from_elsewhere) {
    for (std::string path :
         {"/password", "/email", "/second_factor/app", "/sessions/end_others", "/move", "/deletion"}) {
        auto answer = browser.post(
            "/settings/account" + path, {{"password", "password of alice"}, {"authenticity_token", "wrong"}}
        );
        EXPECT_EQ(answer.status, 422) << path;
        EXPECT_TRUE(has(answer, "open for too long")) << path;
    }
}

TEST_P(Settings, change_the_password_and_sign_out_everybody_else) {
    Fields fields{
        {"current", "wrong"}, {"password", "another one"}, {"password_confirmation", "another one"}
    };
    EXPECT_TRUE(has(send("/settings/account/password", fields), "This is not your password."));
    fields[0].second = "password of alice";
    fields[2].second = "different";
    EXPECT_TRUE(has(send("/settings/account/password", fields), "not the same"));
    fields[2].second = "another one";
    auto changed = send("/settings/account/password", fields);
    EXPECT_EQ(header(changed, "Location"), "/settings/account?done=password");
    EXPECT_TRUE(has(browser.get("/settings/account?done=password"), "Your password has changed."));
    EXPECT_FALSE(signed_in(other));
    EXPECT_EQ(other.sign_in("alice", "another one").status, 302);
}

TEST_P(Settings, change_the_address_once_it_is_confirmed) {
    EXPECT_EQ(
        send("/settings/account/email", {{"email", "new@example.com"}, {"password", "no"}}).status, 422
    );
    EXPECT_EQ(
        send("/settings/account/email", {{"email", "nonsense"}, {"password", "password of alice"}}).status,
        422
    );
    EXPECT_TRUE(has(
        send("/settings/account/email", {{"email", "root@example.com"}, {"password", "password of alice"}}),
        "problem"
    ));
    auto sent =
        send("/settings/account/email", {{"email", "new@example.com"}, {"password", "password of alice"}});
    EXPECT_EQ(header(sent, "Location"), "/settings/account/email?done=email");
    EXPECT_EQ(now().email, "alice@example.com");
    ASSERT_EQ(events.confirmations.size(), 1u);
    EXPECT_EQ(
        browser.get("/auth/confirmation?confirmation_token=" + events.confirmations[0].secret).status, 200
    );
    EXPECT_EQ(now().email, "new@example.com");
}

TEST_P(Settings, forget_an_address_that_waits_when_the_password_changes) {
    send("/settings/account/email", {{"email", "thief@example.com"}, {"password", "password of alice"}});
    ASSERT_EQ(events.confirmations.size(), 1u);
    Fields fields{
        {"current", "password of alice"},
        {"password", "another one"},
        {"password_confirmation", "another one"}
    };
    EXPECT_EQ(send("/settings/account/password", fields).status, 302);
    EXPECT_FALSE(now().unconfirmed_email);
    other.get("/auth/confirmation?confirmation_token=" + events.confirmations[0].secret);
    EXPECT_EQ(now().email, "alice@example.com");
}

TEST_P(Settings, lead_from_the_password_to_an_app_and_its_recovery_codes) {
    const std::string path = "/settings/account/second_factor";
    EXPECT_TRUE(has(send(path + "/app", {{"password", "wrong"}}), "This is not your password."));
    EXPECT_EQ(header(send(path + "/app", {{"password", "password of alice"}}), "Location"), path + "/app");
    auto page = browser.get(path + "/app");
    EXPECT_TRUE(has(page, "<svg"));
    auto key = read([&](db::Read& db) { return accounts::unconfirmed_key(db, alice); }).value();
    EXPECT_TRUE(has(browser.submit(path + "/app/confirm", page, {{"code", "000000"}}), "not of this key"));
    auto code = base::totp(key, base::totp_step(base::Time{database.clock_ms}));
    auto codes = browser.submit(path + "/app/confirm", page, {{"code", code}});
    EXPECT_TRUE(has(codes, "They are not shown again."));
    EXPECT_TRUE(has(browser.get(path), "10 are left"));
    EXPECT_EQ(
        header(send(path + "/app/remove", {{"password", "password of alice"}}), "Location"),
        path + "?done=authenticator"
    );
    auto left = read([&](db::Read& db) { return accounts::second_factors(db, alice); });
    EXPECT_FALSE(left.any());
    EXPECT_EQ(left.recovery_codes, 0);
}

TEST_P(Settings, ask_for_the_password_before_a_passkey) {
    const std::string path = "/settings/account/second_factor";
    pass(16 * 60);
    EXPECT_EQ(browser.get(path + "/passkey").status, 422);
    EXPECT_EQ(
        header(send(path + "/passkey", {{"password", "password of alice"}}), "Location"), path + "/passkey"
    );
    auto page = browser.get(path + "/passkey");
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(browser.submit(path + "/passkey/add", page, {{"name", "Phone"}}).status, 422);
}

TEST_P(Settings, warn_the_address_of_before_of_another_one_however_late_the_letter_goes) {
    send("/settings/account/email", {{"email", "thief@example.com"}, {"password", "password of alice"}});
    ASSERT_EQ(events.warnings.size(), 1u);
    ASSERT_EQ(events.confirmations.size(), 1u);
    browser.get("/auth/confirmation?confirmation_token=" + events.confirmations[0].secret);
    EXPECT_EQ(now().email, "thief@example.com");
    std::optional<accounts::SendMail> letter;
    base::Ask ask;
    try {
        read([&](db::Read& db) { accounts::mail_security(ask, db, events.warnings[0]); });
    } catch (const base::Needs& needs) {
        letter = std::any_cast<accounts::SendMail>(needs.question);
    }
    ASSERT_TRUE(letter);
    EXPECT_EQ(letter->to, "alice@example.com");
    EXPECT_NE(letter->subject.find("about to change"), std::string::npos);
}

TEST_P(Settings, show_where_somebody_is_signed_in_and_end_it) {
    EXPECT_TRUE(has(browser.get("/settings/account/sessions"), "This browser"));
    auto sessions = read([&](db::Read& db) { return oauth::sessions_of(db, alice); });
    ASSERT_EQ(sessions.size(), 2u);
    user("bob");
    Browser bob{*this};
    bob.sign_in("bob");
    auto target = "/settings/account/sessions/" + std::to_string(sessions[0].id.value) + "/end";
    bob.submit(target, bob.get("/settings/account"), {});
    EXPECT_TRUE(signed_in(other)) << "another one's";
    send(target, {});
    EXPECT_FALSE(signed_in(other));
    other.sign_in("alice");
    send("/settings/account/sessions/end_others", {});
    EXPECT_FALSE(signed_in(other));
    EXPECT_TRUE(signed_in(browser));
    EXPECT_TRUE(signed_in(bob));
}

TEST_P(Settings, show_and_take_the_key_of_an_app_only_soon_after_the_password) {
    const std::string path = "/settings/account/second_factor";
    pass(16 * 60);
    EXPECT_EQ(send(path + "/app", {{"password", "password of alice"}}).status, 302);
    auto page = browser.get(path + "/app");
    EXPECT_TRUE(has(page, "<svg"));
    pass(16 * 60);
    EXPECT_FALSE(has(browser.get(path + "/app"), "<svg")) << "begun and left";
    auto key = read([&](db::Read& db) { return accounts::unconfirmed_key(db, alice); }).value();
    auto code = base::totp(key, base::totp_step(base::Time{database.clock_ms}));
    auto late = browser.submit(path + "/app/confirm", page, {{"code", code}});
    EXPECT_TRUE(has(late, "Please give your password again."));
    EXPECT_FALSE(read([&](db::Read& db) { return accounts::second_factors(db, alice); }).any());
}

TEST_P(Settings, name_other_accounts_and_move) {
    user("alice2");
    auto second =
        account_of(read([&](db::Read& db) { return accounts::find_by_email(db, "alice2@example.com")->id; }));
    EXPECT_TRUE(has(send("/settings/account/aliases", {{"account", "alice"}}), "the account itself"));
    EXPECT_EQ(
        header(send("/settings/account/aliases", {{"account", "@alice2"}}), "Location"),
        "/settings/account/move?done=alias"
    );
    EXPECT_TRUE(
        has(browser.get("/settings/account/move"), "/users/") ||
        has(browser.get("/settings/account/move"), "alice2")
    );
    Fields move{{"account", "alice2"}, {"password", "wrong"}};
    EXPECT_TRUE(has(send("/settings/account/move", move), "This is not your password."));
    move[1].second = "password of alice";
    EXPECT_TRUE(has(send("/settings/account/move", move), "does not name this one"));
    auto old = account_of(alice);
    write([&](db::Write& db) {
        auto mine = accounts::account(db, old);
        accounts::add_alias(db, second, accounts::uri_of(db.site(), mine));
    });
    EXPECT_EQ(header(send("/settings/account/move", move), "Location"), "/settings/account/move?done=moved");
    EXPECT_TRUE(has(browser.get("/settings/account/move"), "You have moved to alice2"));
}

TEST_P(Settings, let_strikes_be_appealed_once) {
    EXPECT_FALSE(has(browser.get("/settings/account"), "What moderators decided"));
    auto mine = account_of(alice);
    auto id = write([&](db::Write& db) {
        moderation::Strike strike;
        strike.account_id = mine;
        strike.action = moderation::StrikeAction::silence;
        strike.text = "Be kinder.";
        strike.created_at = db.now();
        return moderation::strike(db, strike, true);
    });
    auto page = browser.get("/settings/account/strikes");
    EXPECT_TRUE(has(page, "Be kinder.") && has(page, "Your account has been limited"));
    auto target = "/settings/account/strikes/" + std::to_string(id.value) + "/appeal";
    EXPECT_EQ(send(target, {{"text", ""}}).status, 422);
    EXPECT_EQ(
        header(send(target, {{"text", "I was."}}), "Location"), "/settings/account/strikes?done=appeal"
    );
    EXPECT_EQ(send(target, {{"text", "Again."}}).status, 422);
    EXPECT_TRUE(has(browser.get("/settings/account/strikes"), "The moderators will look at it."));
}

TEST_P(Settings, mind_that_the_session_may_have_ended_before_the_change) {
    services.answers<accounts::PasswordMatches>([this](const auto& asked) {
        // Its turn comes when the form was looked at, and before what the form asks for.
        engine->later([this] {
            auto end = [this](db::Write& db) { accounts::end_access(db, alice); };
            engine->write("test", end, [](const std::exception_ptr&) {});
        });
        return asked.hash == "hash:" + asked.given;
    });
    Fields fields{{"password", "password of alice"}};
    EXPECT_EQ(send("/settings/account/second_factor/passkey", fields).status, 302);
    EXPECT_FALSE(signed_in(browser));
    browser.sign_in("alice");
    fields.emplace_back("sure", "1");
    EXPECT_TRUE(has(send("/settings/account/deletion", fields), "Your account is deleted."));
    EXPECT_TRUE(read([&](db::Read& db) { return !accounts::find_user(db, alice); }));
}

TEST_P(Settings, delete_the_account_of_who_says_so_twice_but_not_the_only_owner) {
    Fields fields{{"password", "password of alice"}};
    EXPECT_TRUE(has(send("/settings/account/deletion", fields), "tick the box"));
    fields.emplace_back("sure", "1");
    auto gone = send("/settings/account/deletion", fields);
    EXPECT_TRUE(has(gone, "Your account is deleted."));
    EXPECT_TRUE(read([&](db::Read& db) { return !accounts::find_user(db, alice); }));
    EXPECT_FALSE(signed_in(browser));
    Browser root{*this};
    root.sign_in("root");
    EXPECT_TRUE(has(root.get("/settings/account/deletion"), "only owner"));
    auto kept = root.submit(
        "/settings/account/deletion",
        root.get("/settings/account"),
        {{"password", "password of root"}, {"sure", "1"}}
    );
    EXPECT_EQ(kept.status, 422);
}

TEST_P(Settings, keep_the_last_owner_when_two_leave_at_once) {
    write([&](db::Write& db) { accounts::set_role(db, alice, accounts::owner); });
    services.answers<accounts::PasswordMatches>([this](const auto&) {
        engine->later([this] {
            auto end = [this](db::Write& db) { accounts::delete_local(db, account_of_owner); };
            engine->write("test", end, [](const std::exception_ptr&) {});
        });
        return true;
    });
    account_of_owner = account_of(owner);
    auto kept = send("/settings/account/deletion", {{"password", "password of alice"}, {"sure", "1"}});
    EXPECT_EQ(kept.status, 422);
    EXPECT_TRUE(has(kept, "Nobody else could run this server."));
    EXPECT_TRUE(read([&](db::Read& db) { return accounts::find_user(db, alice).has_value(); }));
    EXPECT_TRUE(signed_in(browser));
}

TEST_P(Settings, take_lists_along_and_bring_them) {
    const std::string page = "/settings/account/transfer", import = page + "/import";
    auto bring = [&](Browser& who, const std::string& csv, Fields fields = {{"kind", "following"}}) {
        return who.upload(import, who.get(page), std::move(fields), csv);
    };
    auto began = bring(browser, "root@example.com\n");
    EXPECT_EQ(header(began, "Location"), page + "?done=import");
    auto running = browser.get(page);
    EXPECT_TRUE(has(running, "0 of 1"));
    EXPECT_TRUE(has(bring(browser, "root@example.com\n"), "still being gone through"));
    EXPECT_TRUE(has(bring(browser, ""), "nothing of this kind in the file"));
    EXPECT_TRUE(has(bring(browser, "\"never ends", {{"kind", "lists"}}), "does not end"));
    EXPECT_EQ(bring(browser, "a@b.example", {{"kind", "everything"}}).status, 422);
    EXPECT_TRUE(
        has(bring(browser, "Konto,Boosts\na@b.example,true", {{"kind", "muting"}, {"overwrite", "1"}}),
            "names no column that is known here")
    );
    auto at = running.body.find("/import/");
    auto id = running.body.substr(at + 8, running.body.find("/stop") - at - 8);
    Browser root{*this}, nobody{*this};
    root.sign_in("root");
    EXPECT_EQ(root.submit(import + "/" + id + "/stop", root.get(page), {}).status, 404);
    EXPECT_EQ(root.get(import + "/" + id + "/failed").status, 404);
    EXPECT_EQ(header(send(import + "/" + id + "/stop", {}), "Location"), page + "?done=import_stopped");
    EXPECT_TRUE(has(browser.get(page), "Stopped"));
    EXPECT_EQ(
        header(nobody.upload(import, browser.get(page), {}, "x"), "Location").find("/auth/sign_in"), 0u
    );
    EXPECT_EQ(nobody.get(page + "/export/following").status, 302);
    auto file = browser.get(page + "/export/following");
    EXPECT_EQ(header(file, "Content-Disposition"), "attachment; filename=\"following_accounts.csv\"");
    EXPECT_EQ(file.body, "Account address,Show boosts,Notify on new posts,Languages\n");
    EXPECT_EQ(browser.get(page + "/export/everything").status, 422);
    EXPECT_EQ(header(browser.get("/settings/import"), "Location"), page);
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/invite.hpp"

#include "contract/contract.hpp"
#include "social/accounts/users/confirmation.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

struct Invites : OnEachWorld {
    Person alice = w.local("alice");
    Person app = w.app();
    Invites() {
        // Nobody signs up before there is an owner.
        auto landlord = w.local("landlord");
        w.write([&](db::Write& db) {
            auto user = accounts::find_user_of(db, {std::stoll(landlord.id)});
            accounts::set_role(db, user->id, accounts::owner);
        });
    }

    std::string invite(const accounts::NewInvite& given = {}) {
        return w.write([&](db::Write& db) { return accounts::create_invite(db, given); });
    }
    std::string invite_of(const Person& person, bool autofollow = true) {
        accounts::NewInvite given;
        given.account = {std::stoll(person.id)};
        given.autofollow = autofollow;
        return invite(given);
    }
    Answer sign_up(const std::string& name, const std::string& code) {
        return app.post(
            "/api/v1/accounts",
            {{"username", name},
             {"email", name + "@example.com"},
             {"password", "long enough"},
             {"agreement", "true"},
             {"locale", "en"},
             {"invite_code", code}}
        );
    }
    accounts::User user(const std::string& name) {
        return w.read([&](db::Read& db) { return *accounts::find_by_email(db, name + "@example.com"); });
    }
    void confirm(const std::string& name) {
        w.write([id = user(name).id](db::Write& db) { accounts::confirm(db, id); });
    }
    Answer ask(const std::string& code, const std::string& accept = "application/json") {
        return w.anonymous().with("Accept", accept).get("/invite/" + code);
    }
};
ON_EACH_DATABASE(Invites);

TEST_P(Invites, have_codes_that_nobody_misreads) {
    std::set<std::string> all;
    for (int i = 0; i < 50; ++i) {
        auto code = invite();
        EXPECT_THAT(code, MatchesRegex("[A-HJ-NP-Za-km-z2-9]{8}"));
        all.insert(code);
    }
    EXPECT_EQ(all.size(), 50u);
}

TEST_P(Invites, are_told_to_apps_as_json) {
    auto code = invite();
    auto answer = ask(code);
    EXPECT_EQ(answer.status, 200);
    EXPECT_THAT(answer.header("Content-Type"), HasSubstr("application/json"));
    EXPECT_EQ(answer["invite_code"], code);
    EXPECT_EQ(answer["instance_api_url"], w.site().public_url + "/api/v2/instance");
    EXPECT_THAT(
        contract::violations("{invite_code:string, instance_api_url:url}", answer.body), testing::IsEmpty()
    );

    EXPECT_EQ(ask("12345678").status, 404);
    EXPECT_EQ(ask("12345678").error(), "Record not found");
    EXPECT_EQ(ask("x").status, 404);
    w.write([&](db::Write& db) { accounts::revoke_invite(db, code); });
    EXPECT_EQ(ask(code).status, 401);
    EXPECT_EQ(ask(code).body, R"({"error":"This invite is not valid"})");
}

TEST_P(Invites, open_closed_registrations) {
    w.site().registrations_open = false;
    auto code = invite();
    w.changed();
    EXPECT_EQ(sign_up("bob", "").status, 403);
    EXPECT_EQ(sign_up("bob", "12345678").status, 403);
    EXPECT_EQ(w.changed(), "");
    auto answer = sign_up("bob", code);
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(w.read([&](db::Read& db) { return accounts::find_invite(db, code)->uses; }), 1);
}

TEST_P(Invites, spare_the_approval) {
    w.site().approval_required = true;
    EXPECT_EQ(sign_up("bob", invite()).status, 200);
    EXPECT_TRUE(user("bob").approved);
    EXPECT_EQ(sign_up("carol", "12345678").status, 200);  // anybody may sign up here, and waits
    EXPECT_FALSE(user("carol").approved);
}

TEST_P(Invites, can_be_used_so_often_and_so_long_as_they_say) {
    w.site().registrations_open = false;
    auto twice = invite({.max_uses = 2}), today = invite({.expires_at = w.now().plus_seconds(86'400)});
    EXPECT_EQ(sign_up("a1", twice).status, 200);
    EXPECT_EQ(sign_up("not ok", twice).status, 422);  // what fails does not count
    EXPECT_EQ(sign_up("a2", twice).status, 200);
    EXPECT_EQ(sign_up("a3", twice).status, 403);
    EXPECT_EQ(ask(twice).status, 401);
    EXPECT_EQ(sign_up("b1", today).status, 200);
    w.advance(86'400);
    EXPECT_EQ(sign_up("b2", today).status, 403);
    EXPECT_EQ(ask(today).status, 401);
    auto of_alice = invite_of(alice, false);
    EXPECT_EQ(ask(of_alice).status, 200);
    w.suspend(alice);
    EXPECT_EQ(sign_up("c1", of_alice).status, 403);
    EXPECT_EQ(ask(of_alice).status, 401);
}

TEST_P(Invites, make_those_who_use_them_follow_who_invited_once_they_are_confirmed) {
    sign_up("bob", invite_of(alice));
    sign_up("carol", invite_of(alice, false));
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id)["followers_count"], "0");
    for (auto name : {"bob", "carol"}) confirm(name);
    EXPECT_EQ(
        alice.get("/api/v1/accounts/" + alice.id + "/followers").all("acct"), std::vector<std::string>{"bob"}
    );
    EXPECT_EQ(alice.get("/api/v1/notifications").all("type"), std::vector<std::string>{"follow"});

    sign_up("dave", invite_of(alice));
    w.suspend(alice);
    confirm("dave");
    EXPECT_TRUE(user("dave").usable());
}

TEST_P(Invites, lead_people_to_the_sign_up_which_carries_the_code) {
    w.site().registrations_open = false;
    w.site().approval_required = true;
    auto code = invite({.max_uses = 1});
    auto page = ask(code, "text/html");
    EXPECT_EQ(page.status, 200);
    EXPECT_THAT(page.body, HasSubstr("name=\"user[invite_code]\" value=\"" + code + "\""));
    EXPECT_THAT(page.body, Not(HasSubstr("Why do you want to join")));
    EXPECT_EQ(ask("12345678", "text/html").status, 404);

    auto cookie = page.header("Set-Cookie");
    auto browser = w.anonymous().with("Cookie", cookie.substr(0, cookie.find(';')));
    auto at = page.body.find("name=\"authenticity_token\" value=\"") + 33;
    auto submit = [&](const std::string& name, const std::string& with) {
        return browser.post(
            "/auth",
            {{"authenticity_token", page.body.substr(at, 43)},
             {"user[account_attributes][username]", name},
             {"user[email]", name + "@example.com"},
             {"user[password]", "long enough"},
             {"user[password_confirmation]", "long enough"},
             {"user[agreement]", "1"},
             {"user[invite_code]", with}}
        );
    };
    EXPECT_EQ(submit("bob", "").status, 403);
    EXPECT_EQ(submit("bob", code).status, 200);
    EXPECT_TRUE(user("bob").approved);
    EXPECT_EQ(submit("carol", code).status, 403);
    EXPECT_EQ(ask(code, "text/html").status, 401);
}

}  // namespace

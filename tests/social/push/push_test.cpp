// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/crypto.hpp"
#include "base/signing.hpp"
#include "social/accounts/users/user.hpp"
#include "social/notifications/notification.hpp"
#include "social/oauth/pages/visitor.hpp"
#include "social/oauth/token.hpp"
#include "social/push/subscription.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::HasSubstr;

constexpr auto subscription = "/api/v1/push/subscription", web = "/api/web/push_subscriptions",
               settings = "/api/web/settings";
const std::string point = base::new_p256_key().public_point, secret(16, 's');

Fields subscribing(Fields more = {}) {
    Fields all{
        {"subscription[endpoint]", "https://push.example/send/1"},
        {"subscription[keys][p256dh]", base::base64url(point)},
        {"subscription[keys][auth]", base::base64url(secret)}
    };
    for (auto& [name, value] : more) {
        std::erase_if(all, [&](const auto& field) { return field.first == name; });
        all.emplace_back(name, value);
    }
    return all;
}

struct Push : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");

    base::UserId user(const Person& person) {
        return w.read([&](db::Read& db) { return accounts::find_user_of(db, {std::stoll(person.id)})->id; });
    }
    // A script on a page of ours, in a browser where this person is signed in.
    Person script(const Person& person, bool honest = true) {
        auto id = user(person);
        auto opened =
            w.write([&](db::Write& db) { return oauth::begin_session(db, id, "192.0.2.1", "Browser"); });
        http::Request request;
        request.headers = {{"Cookie", "dunlin_session=" + opened}};
        auto who = w.read([&](db::Read& db) { return oauth::visitor(db, request); });
        auto browser = w.anonymous().with("Cookie", "dunlin_session=" + opened);
        return browser.with("X-CSRF-Token", honest ? who.proof : std::string(43, 'a'));
    }
    std::string number(const Answer& answer) { return answer["id"]; }
    std::string unsubscribing(const std::string& id) {
        return w.read([&](db::Read& db) { return push::unsubscribe_token(db, {std::stoll(id)}); });
    }
};
ON_EACH_DATABASE(Push);

TEST(PushKeys, are_points_of_the_curve) {
    EXPECT_TRUE(base::is_p256_point(point));
    auto off = point;
    off[64] = static_cast<char>(off[64] ^ 1);
    EXPECT_FALSE(base::is_p256_point(off));
    EXPECT_FALSE(base::is_p256_point(std::string(65, '\4')));
    EXPECT_FALSE(base::is_p256_point(point.substr(0, 33)));
    EXPECT_FALSE(base::is_p256_point(""));
}

TEST_P(Push, is_subscribed_to_once_for_each_token) {
    EXPECT_EQ(alice.get(subscription).status, 404);
    auto made = alice.post(
        subscription,
        subscribing(
            {{"data[alerts][mention]", "true"},
             {"data[alerts][poll]", "false"},
             {"data[alerts][nonsense]", "true"},
             {"data[policy]", "followed"},
             {"subscription[standard]", "true"}}
        )
    );
    ASSERT_EQ(made.status, 200) << made.body;
    EXPECT_EQ(made["endpoint"], "https://push.example/send/1");
    EXPECT_EQ(made["standard"], "true");
    EXPECT_EQ(made["policy"], "followed");
    EXPECT_THAT(made.body, HasSubstr(R"("alerts":{"mention":true,"poll":false})"));
    EXPECT_EQ(made["server_key"], alice.get("/api/v2/instance")["configuration.vapid.public_key"]);
    EXPECT_LT(std::stoll(number(made)), 1LL << 53);
    EXPECT_EQ(alice.get(subscription).body, made.body);

    w.changed();
    auto again =
        alice.post(subscription, subscribing({{"subscription[endpoint]", "https://push.example/2"}}));
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(again["endpoint"], "https://push.example/2");
    EXPECT_EQ(again["standard"], "false");
    EXPECT_EQ(again["policy"], "all");
    EXPECT_THAT(again.body, HasSubstr(R"("alerts":{})"));
    EXPECT_EQ(w.with_scopes(alice, "push").get(subscription).status, 404);
    EXPECT_EQ(bob.get(subscription).status, 404);
}

TEST_P(Push, has_an_alert_for_every_type_of_notification) {
    Fields every;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<notifications::Type>>([&](auto type) {
        every.emplace_back("data[alerts][" + notifications::word_of(type.value) + "]", "true");
    });
    EXPECT_EQ(every.size(), 17u);
    auto made = alice.post(subscription, subscribing(every));
    for (const auto& [name, value] : every) {
        auto type = name.substr(13, name.size() - 14);
        EXPECT_THAT(made.body, HasSubstr("\"" + type + "\":true")) << type;
    }
}

TEST_P(Push, can_be_told_anew_about_what) {
    EXPECT_EQ(alice.put(subscription, {{"data[policy]", "none"}}).status, 404);
    auto made = alice.post(subscription, subscribing({{"data[alerts][mention]", "true"}}));
    auto changed =
        alice.put(subscription, {{"data[policy]", "follower"}, {"data[alerts][admin.report]", "1"}});
    EXPECT_EQ(changed["id"], made["id"]);
    EXPECT_EQ(changed["endpoint"], made["endpoint"]);
    EXPECT_EQ(changed["policy"], "follower");
    EXPECT_THAT(changed.body, HasSubstr(R"("alerts":{"admin.report":true})"));
    auto emptied = alice.patch(subscription);
    EXPECT_EQ(emptied["policy"], "all");
    EXPECT_THAT(emptied.body, HasSubstr(R"("alerts":{})"));
}

TEST_P(Push, is_refused_what_is_no_address_or_key) {
    auto refused = [&](const std::string& name, const std::string& value) {
        auto answer = alice.post(subscription, subscribing({{"subscription" + name, value}}));
        EXPECT_EQ(answer.status, 422) << name << " " << value;
        EXPECT_THAT(answer.error(), HasSubstr("Validation failed: ")) << value;
    };
    for (auto url :
         {"",
          "nonsense",
          "http:/push.example/1",
          "http://",
          "https://",
          "https:///path",
          "https://:443/",
          "https://user@push.example/",
          "https://user:password@push.example/",
          "https://push.example/a b",
          "https://push.example\\@evil.example/",
          "ftp://push.example/",
          "javascript:alert(1)"})
        refused("[endpoint]", url);
    refused("[endpoint]", "https://push.example/" + std::string(2100, 'x'));
    auto off = point;
    off[64] = static_cast<char>(off[64] ^ 1);
    for (const auto& key :
         {std::string(),
          std::string("?"),
          base::base64url(point.substr(0, 64)),
          base::base64url(off),
          base::base64url(std::string(65, 'x'))})
        refused("[keys][p256dh]", key);
    for (const auto& key : {std::string(), std::string("!"), base::base64url(std::string(15, 's'))})
        refused("[keys][auth]", key);
    EXPECT_EQ(alice.post(subscription, subscribing({{"data[policy]", "some"}})).status, 422);
    for (const auto& form :
         {Fields{}, Fields{{"subscription", "invalid"}}, subscribing({{"data", "invalid"}})}) {
        auto answer = alice.post(subscription, form);
        EXPECT_EQ(answer.status, 400);
        EXPECT_THAT(answer.error(), HasSubstr("param is missing or the value is empty or invalid: "));
    }
    EXPECT_EQ(alice.get(subscription).status, 404);
    alice.post(subscription, subscribing());
    EXPECT_EQ(alice.put(subscription, {{"data", "invalid"}}).status, 400);
    auto padded = base::base64url(point) + "=";
    EXPECT_EQ(alice.post(subscription, subscribing({{"subscription[keys][p256dh]", padded}})).status, 200);
    auto plain = alice.post(subscription, subscribing({{"subscription[endpoint]", "http://push.example/1"}}));
    EXPECT_EQ(plain["endpoint"], "http://push.example/1");
}

TEST_P(Push, ends_when_asked_to_and_with_its_token) {
    auto phone = w.with_scopes(alice, "push");
    w.changed();
    alice.post(subscription, subscribing());
    phone.post(subscription, subscribing());
    bob.post(subscription, subscribing());
    EXPECT_EQ(w.changed(), "push_subscriptions +3");
    EXPECT_EQ(alice.del(subscription).body, "{}");
    EXPECT_EQ(alice.del(subscription).body, "{}");
    EXPECT_EQ(w.changed(), "push_subscriptions -1");
    w.write([&](db::Write& db) { oauth::revoke(db, oauth::find_live(db, phone.token)->id); });
    EXPECT_EQ(w.changed(), "push_subscriptions -1");
    EXPECT_EQ(bob.get(subscription).status, 200);
}

TEST_P(Push, of_a_web_session_needs_the_session_and_the_proof) {
    for (const auto& who : {w.anonymous(), alice, script(alice, false)}) {
        w.changed();
        EXPECT_EQ(who.post(web, subscribing()).status, 422);
        EXPECT_EQ(who.patch(std::string(web) + "/1", {{"data[policy]", "none"}}).status, 422);
        EXPECT_EQ(who.send(http::Method::put, settings, R"({"data":{}})", "application/json").status, 422);
        EXPECT_EQ(w.changed(), "");
    }
    EXPECT_EQ(alice.post(web, subscribing()).error(), "This method requires an authenticated user");
    EXPECT_EQ(script(alice, false).post(web, subscribing()).error(), "Can't verify CSRF token authenticity.");
}

TEST_P(Push, of_a_web_session_is_one_and_its_users_alone) {
    auto page = script(alice), other = script(alice), foreign = script(bob);
    w.changed();
    auto made = page.post(web, subscribing({{"data[alerts][follow]", "true"}}));
    ASSERT_EQ(made.status, 200) << made.body;
    EXPECT_THAT(made.body, HasSubstr(R"("alerts":{"follow":true})"));
    EXPECT_EQ(alice.get(subscription).status, 404);
    auto again = page.post(web, subscribing());
    other.post(web, subscribing());
    EXPECT_EQ(w.changed(), "push_subscriptions +2");
    EXPECT_NE(again["id"], made["id"]);

    auto path = std::string(web) + "/" + again["id"];
    EXPECT_EQ(page.put(path, {{"data[policy]", "follower"}})["policy"], "follower");
    EXPECT_EQ(other.patch(path, {{"data[policy]", "followed"}})["policy"], "followed");
    EXPECT_EQ(page.put(path, {{"data", "invalid"}}).status, 400);
    auto before = w.dump();
    EXPECT_EQ(foreign.patch(path, {{"data[policy]", "none"}}).status, 404);
    EXPECT_EQ(page.patch(std::string(web) + "/" + made["id"]).status, 404);
    EXPECT_EQ(page.patch(std::string(web) + "/x").status, 404);
    EXPECT_EQ(page.post(web, {{"subscription", "invalid"}}).status, 400);
    EXPECT_EQ(page.post(web, subscribing({{"subscription[keys][auth]", "x"}})).status, 422);
    EXPECT_EQ(w.dump(), before);
}

TEST_P(Push, of_a_web_session_ends_with_it) {
    auto page = script(alice), other = script(bob);
    page.post(web, subscribing());
    other.post(web, subscribing());
    w.changed();
    w.happened();
    w.write([id = user(alice)](db::Write& db) { accounts::end_access(db, id); });
    EXPECT_EQ(w.happened(), "SessionsEnded, TokensRevoked");
    EXPECT_EQ(w.changed(), "web_sessions -1, push_subscriptions -1");
    EXPECT_EQ(other.post(web, subscribing()).status, 200);
}

TEST_P(Push, is_ended_by_its_signed_token_and_by_no_other) {
    auto id = alice.post(subscription, subscribing())["id"],
         bobs = bob.post(subscription, subscribing())["id"];
    auto path = [](const std::string& token) { return std::string(web) + "/" + token; };
    auto token = unsubscribing(id), foreign = unsubscribing(bobs);
    auto signature = token.substr(token.find('.')), changed = token;
    changed.back() = changed.back() == 'A' ? 'B' : 'A';
    auto unkeyed = base::base64url(base::hmac_sha256("", "push subscription " + bobs));
    w.changed();
    for (const auto& forged :
         {bobs,
          bobs + ".",
          bobs + signature,
          bobs + "." + unkeyed,
          changed,
          token + "A",
          " " + token,
          "0" + token,
          std::string("x"),
          std::string("."),
          signature,
          std::string("99999999999999999999999.x")}) {
        auto answer = w.anonymous().del(path(forged));
        EXPECT_EQ(answer.status, 200) << forged;
        EXPECT_EQ(answer.body, "");
    }
    EXPECT_EQ(w.changed(), "");
    auto answer = w.anonymous().del(path(token));
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "");
    EXPECT_EQ(w.changed(), "push_subscriptions -1");
    EXPECT_EQ(alice.get(subscription).status, 404);
    EXPECT_EQ(bob.get(subscription).status, 200);
    EXPECT_EQ(w.anonymous().del(path(token)).status, 200);
}

TEST_P(Push, pages_of_ours_work_where_strangers_read_nothing) {
    auto page = script(alice);
    w.site().restricted = true;
    auto made = page.post(web, subscribing());
    EXPECT_EQ(made.status, 200) << made.body;
    EXPECT_EQ(w.anonymous().del(std::string(web) + "/" + unsubscribing(made["id"])).status, 200);
}

const db::Query<std::string> kept_settings{"test_kept_settings", "SELECT data FROM web_settings"};

TEST_P(Push, settings_of_the_web_client_are_kept_as_they_came) {
    auto page = script(alice);
    auto kept = [](db::Read& db) { return db.one(kept_settings); };
    auto save = [&](http::Method method, const std::string& body) {
        return page.send(method, settings, body, "application/json");
    };
    EXPECT_EQ(save(http::Method::put, R"({"data":{"onboarded":true,"home":{"n":1,"x":null}}})").body, "{}");
    EXPECT_EQ(w.read(kept), R"({"onboarded":true,"home":{"n":1,"x":null}})");
    EXPECT_EQ(save(http::Method::patch, R"({"data":{"onboarded":false}})").body, "{}");
    EXPECT_EQ(w.read(kept), R"({"onboarded":false})");
    auto before = w.dump();
    for (auto body : {"", "{}", "[]", "null", R"({"data":[]})", R"({"data":"text"})", R"({"data":null})"})
        EXPECT_EQ(save(http::Method::put, body).status, 400) << body;
    EXPECT_EQ(page.put(settings, {{"data[a]", "b"}}).status, 400);
    EXPECT_EQ(save(http::Method::put, R"({"data":{"a":")" + std::string(70'000, 'x') + R"("}})").status, 422);
    EXPECT_EQ(w.dump(), before);
}

TEST_P(Push, settings_of_the_web_client_go_with_their_user) {
    for (const auto& person : {alice, bob})
        script(person).send(http::Method::put, settings, R"({"data":{"a":1}})", "application/json");
    w.changed();
    w.write([&](db::Write& db) {
        accounts::remove_user(db, accounts::find_user_of(db, {std::stoll(bob.id)})->id);
    });
    EXPECT_THAT(w.changed(), HasSubstr("web_settings -1"));
    EXPECT_EQ(w.read([](db::Read& db) { return db.one(kept_settings); }), R"({"a":1})");
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// The profile and what one is told of, as forms without JavaScript.
#include "social/accounts/account_entity.hpp"
#include "social/accounts/users/notification_choice.hpp"
#include "social/labels/effects.hpp"
#include "social/media/store.hpp"
#include "social/oauth/stage.hpp"

namespace {

using namespace oauth_test;

bool has(const http::Response& response, std::string_view text) {
    return response.body.find(text) != std::string::npos;
}

struct ChoiceForms : Stage {
    base::UserId owner = user("root", accounts::owner), alice = user("alice");
    Browser browser{*this};
    std::string hub = "/settings/account";

    ChoiceForms() {
        browser.sign_in("alice");
        services.answers<media::ProcessImage>(
            [](const media::ProcessImage& asked) -> media::ProcessImage::Answer {
                media::Stored stored;
                stored.file = asked.kind == media::Kind::avatar ? "made/avatar.png" : "made/header.png";
                stored.still = stored.file;
                return stored;
            }
        );
    }
    http::Response send(const std::string& path, Fields fields) {
        return browser.submit(hub + path, browser.get(hub + path), std::move(fields));
    }
    base::AccountId id() {
        return read([&](db::Read& db) { return accounts::user(db, alice).account_id; });
    }
    accounts::Account account() {
        return read([&, who = id()](db::Read& db) { return accounts::account(db, who); });
    }
    accounts::NotificationChoice choice() {
        return read([&, who = id()](db::Read& db) { return accounts::notification_choice(db, who); });
    }
};
ON_EACH_DATABASE(ChoiceForms);

TEST_P(ChoiceForms, are_for_who_is_signed_in_and_take_no_form_from_elsewhere) {
    Browser nobody{*this};
    for (std::string path : {"/profile", "/notifications"}) {
        auto page = browser.get(hub + path);
        EXPECT_EQ(page.status, 200) << path;
        EXPECT_EQ(header(page, "Cache-Control"), "private, no-store") << path;
        EXPECT_FALSE(has(page, "<script")) << path;
        EXPECT_TRUE(header(nobody.get(hub + path), "Location").starts_with("/auth/sign_in?return_to="))
            << path;
        EXPECT_EQ(
            header(nobody.get("/settings" + path), "Location"),
            "/auth/sign_in?return_to=%2Fsettings%2F" + path.substr(1)
        );
        EXPECT_EQ(browser.post(hub + path, {{"note", "x"}, {"authenticity_token", "wrong"}}).status, 422)
            << path;
    }
    EXPECT_EQ(account().note, "");
    EXPECT_TRUE(choice().mail_mention);
}

TEST_P(ChoiceForms, change_the_profile) {
    auto saved = send(
        "/profile",
        {{"display_name", "Alice"},
         {"note", "I count #waders"},
         {"avatar_description", "A bird"},
         {"fields_attributes[0][name]", "Home"},
         {"fields_attributes[0][value]", "The marsh"},
         {"fields_attributes[1][name]", ""},
         {"fields_attributes[1][value]", ""},
         {"discoverable", "1"},
         {"locked", "1"}}
    );
    EXPECT_EQ(header(saved, "Location"), "/settings/account/profile?done=profile");
    auto now = account();
    EXPECT_EQ(now.display_name, "Alice");
    EXPECT_NE(now.note_html.find("/tags/waders"), std::string::npos);
    EXPECT_EQ(now.avatar_description, "A bird");
    ASSERT_EQ(accounts::fields_of(now).size(), 1u);
    EXPECT_EQ(accounts::fields_of(now)[0].value, "The marsh");
    EXPECT_TRUE(now.locked && now.discoverable.value_or(false));
    EXPECT_FALSE(now.indexable);
    auto page = browser.get(hub + "/profile?done=profile");
    EXPECT_TRUE(has(page, "Your profile is saved."));
    EXPECT_TRUE(has(page, "value=\"The marsh\""));
    EXPECT_TRUE(has(page, "name=\"locked\" value=\"1\" checked"));
    send("/profile", {{"display_name", "Alice"}});
    EXPECT_FALSE(account().locked) << "a box that is not ticked";
    EXPECT_EQ(account().note, "");
}

TEST_P(ChoiceForms, say_what_is_wrong_with_a_profile_and_keep_what_was_typed) {
    auto refused = send(
        "/profile",
        {{"display_name", std::string(41, 'a')}, {"note", "<b>kept"}, {"fields_attributes[0][value]", "alone"}
        }
    );
    EXPECT_EQ(refused.status, 422);
    EXPECT_TRUE(has(refused, "Display name is too long (maximum is 40 characters)"));
    EXPECT_TRUE(has(refused, "&lt;b&gt;kept"));
    EXPECT_TRUE(has(refused, "value=\"alone\""));
    EXPECT_EQ(account().note, "");
}

TEST_P(ChoiceForms, take_a_picture_and_remove_it) {
    auto page = browser.get(hub + "/profile");
    auto saved = browser.upload(hub + "/profile", page, {{"display_name", "Alice"}}, "a picture", "avatar");
    EXPECT_EQ(header(saved, "Location"), "/settings/account/profile?done=profile") << saved.body;
    EXPECT_EQ(account().avatar, "made/avatar.png");
    EXPECT_EQ(account().header, "");
    EXPECT_TRUE(has(browser.get(hub + "/profile"), "made/avatar.png"));
    send("/profile", {{"display_name", "Alice"}});
    EXPECT_EQ(account().avatar, "made/avatar.png") << "stays where no other is given";
    send("/profile", {{"display_name", "Alice"}, {"remove_avatar", "1"}});
    EXPECT_EQ(account().avatar, "");
}

TEST_P(ChoiceForms, choose_what_one_is_written_to_about) {
    EXPECT_FALSE(has(browser.get(hub + "/notifications"), "mail_report")) << "she is none of the team";
    auto saved = send(
        "/notifications",
        {{"mail_reblog", "1"},
         {"quiet_from", "22:00"},
         {"quiet_until", "07:00"},
         {"time_zone", "Europe/Berlin"}}
    );
    EXPECT_EQ(header(saved, "Location"), "/settings/account/notifications?done=saved");
    auto now = choice();
    EXPECT_TRUE(now.mail_reblog);
    EXPECT_FALSE(now.mail_mention);
    EXPECT_EQ(now.quiet_from, "22:00");
    EXPECT_EQ(now.time_zone, "Europe/Berlin");
    auto page = browser.get(hub + "/notifications?done=saved");
    EXPECT_TRUE(has(page, "name=\"mail_reblog\" value=\"1\" checked"));
    EXPECT_TRUE(has(page, "value=\"22:00\""));
    auto refused = send("/notifications", {{"mail_follow", "1"}, {"quiet_from", "22:00"}});
    EXPECT_EQ(refused.status, 422);
    EXPECT_TRUE(has(refused, "name=\"mail_follow\" value=\"1\" checked")) << "what was chosen stays";
    EXPECT_TRUE(choice().mail_reblog);
    Browser of_owner{*this};
    of_owner.sign_in("root");
    EXPECT_TRUE(has(of_owner.get(hub + "/notifications"), "mail_report")) << "the team has more";
}

TEST_P(ChoiceForms, choose_what_becomes_of_posts_with_labels) {
    EXPECT_TRUE(has(browser.get(hub + "/labels"), "There are no labels here."));
    EXPECT_FALSE(has(browser.get(hub), hub + "/labels"));
    auto made = [&](const std::string& name) {
        auto id =
            write([&](db::Write& db) { return labels::create(db, {name, {}, labels::LabelEffect::warn}); });
        return std::to_string(id.value);
    };
    auto joke = made("joke"), spam = made("spam <x>");
    EXPECT_TRUE(has(browser.get(hub), hub + "/labels"));
    EXPECT_TRUE(has(browser.get(hub + "/labels"), "spam &lt;x&gt;"));
    auto saved = send(
        "/labels", {{"effects[" + joke + "]", "hide"}, {"effects[" + spam + "]", "site"}, {"effects[1]", "x"}}
    );
    EXPECT_EQ(header(saved, "Location"), "/settings/account/labels?done=saved");
    auto chosen = [&] { return read([&, who = id()](db::Read& db) { return labels::choices_of(db, who); }); };
    ASSERT_EQ(chosen().size(), 1u);
    EXPECT_EQ(chosen()[0].effect, labels::LabelEffect::hide);
    EXPECT_TRUE(has(browser.get(hub + "/labels"), "value=\"hide\" selected"));
    send("/labels", {{"effects[" + joke + "]", "site"}});
    EXPECT_TRUE(chosen().empty());
}

}  // namespace

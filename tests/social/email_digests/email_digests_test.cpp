// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/email_subscriptions.hpp"
#include "social/accounts/users/user.hpp"
#include "social/email_digests/subscription.hpp"
#include "social/oauth/pages/visitor.hpp"
#include "support/periodic.hpp"
#include "world.hpp"

namespace {

const db::Command test_grant_digests{
    "test_grant_digests", "UPDATE roles SET permissions = 65536 + 4194304 WHERE id = -99"
};

struct PostsByMail : testing::TestWithParam<support::Database> {
    World w{GetParam()};
    Person alice = offering("alice");

    Person offering(const std::string& name) {
        auto person = w.local(name);
        w.write([&](db::Write& db) {
            accounts::offer_digests(db, true);
            db.run(test_grant_digests);
            accounts::choose_digests(db, user(db, person), true);
        });
        w.changed();
        return person;
    }
    static base::UserId user(db::Read& db, const Person& person) {
        return accounts::find_user_of(db, base::AccountId{std::stoll(person.id)})->id;
    }
    Answer subscribe(const std::string& email, const Person& to) {
        return w.anonymous().post(path(to), {{"email", email}});
    }
    Answer subscribe(const std::string& email) { return subscribe(email, alice); }
    static std::string path(const Person& to) { return "/api/v1/accounts/" + to.id + "/email_subscriptions"; }
    // The path of the link in a mail that begins so.
    std::string link(const World::Letter& letter, const std::string& begin) {
        auto from = letter.text.find(w.site().public_url + begin);
        if (from == std::string::npos) return {};
        from += w.site().public_url.size();
        return letter.text.substr(from, letter.text.find_first_of(" \n", from) - from);
    }
    std::string confirmation() {
        w.run_jobs();
        auto mails = w.mails();
        EXPECT_EQ(mails.size(), 1u);
        return mails.empty() ? "" : link(mails[0], "/email_subscriptions/confirmation");
    }
    void subscribed(const std::string& email) {
        EXPECT_EQ(subscribe(email).status, 200);
        EXPECT_EQ(w.anonymous().get(confirmation()).status, 200);
    }
    std::vector<World::Letter> letters() {
        w.advance(900);
        w.write(email_digests::announce_digests);
        w.run_jobs();
        return w.mails();
    }
};
ON_EACH_DATABASE(PostsByMail);

TEST_P(PostsByMail, begin_with_a_mail_that_asks_for_confirmation) {
    auto answer = subscribe(" Reader@Example.org ");
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.body, "{}");
    EXPECT_EQ(w.changed(), "email_subscriptions +1, jobs +1");
    w.run_jobs();
    auto mails = w.mails();
    ASSERT_EQ(mails.size(), 1u);
    EXPECT_EQ(mails[0].to, "reader@example.org");
    EXPECT_NE(mails[0].text.find("@alice@"), std::string::npos);
    auto path = link(mails[0], "/email_subscriptions/confirmation");
    EXPECT_EQ(w.anonymous().get(path).status, 200);
    EXPECT_EQ(w.anonymous().get(path).status, 422);
}

TEST_P(PostsByMail, are_offered_by_those_whose_role_may_and_who_want_it) {
    auto bob = w.local("bob");
    EXPECT_EQ(subscribe("a@b.example", bob).status, 404);
    EXPECT_EQ(w.anonymous().get("/api/v1/accounts/" + alice.id)["email_subscriptions"], "true");
    EXPECT_EQ(w.anonymous().get("/api/v1/accounts/" + bob.id)["email_subscriptions"], "false");
    w.suspend(alice);
    auto forbidden = subscribe("a@b.example");
    auto absent = w.anonymous().post("/api/v1/accounts/1/email_subscriptions", {{"email", "a@b.example"}});
    EXPECT_EQ(forbidden.status, 404);
    EXPECT_EQ(forbidden.body, absent.body);
    EXPECT_EQ(w.changed(), "");
    World off(GetParam());
    auto carol = off.local("carol");
    EXPECT_EQ(off.anonymous().post(path(carol), {{"email", "a@b.example"}}).status, 404);
    EXPECT_EQ(off.anonymous().get("/api/v1/accounts/" + carol.id)["email_subscriptions"], "absent");
}

TEST_P(PostsByMail, need_an_address_that_is_one) {
    auto answer = subscribe("nonsense");
    EXPECT_EQ(answer.status, 422);
    EXPECT_EQ(answer["details.email.0.error"], "ERR_INVALID");
    EXPECT_EQ(w.anonymous().post(path(alice))["details.email.0.error"], "ERR_BLANK");
    EXPECT_EQ(w.changed(), "");
}

TEST_P(PostsByMail, tell_nobody_who_has_them) {
    subscribed("reader@example.org");
    auto again = subscribe("reader@example.org");
    EXPECT_EQ(again.status, 200);
    EXPECT_EQ(again.body, "{}");
    EXPECT_EQ(w.run_jobs(), 0);
}

TEST_P(PostsByMail, fill_no_strangers_mailbox_with_confirmations) {
    subscribe("stranger@example.org");
    subscribe("stranger@example.org");
    confirmation();  // one letter
    w.advance(3700);
    subscribe("stranger@example.org");
    auto path = confirmation();
    w.advance(49 * 3600);
    EXPECT_EQ(w.anonymous().get(path).status, 422);
    w.advance(7 * 24 * 3600);
    w.changed();
    support::run_periodic(w, email_digests::purge_subscriptions);
    EXPECT_EQ(w.changed(), "email_subscriptions -1");
}

TEST_P(PostsByMail, come_gathered_and_once) {
    alice.status("before anybody had subscribed");
    subscribed("reader@example.org");
    EXPECT_TRUE(letters().empty());
    auto first = alice.status("the first");
    alice.status("the ending of a book", {{"spoiler_text", "spoils a book"}});
    auto posts = letters();
    ASSERT_EQ(posts.size(), 1u);
    EXPECT_EQ(posts[0].to, "reader@example.org");
    EXPECT_NE(posts[0].text.find("the first"), std::string::npos);
    EXPECT_NE(posts[0].text.find("/@alice/" + first), std::string::npos);
    EXPECT_NE(posts[0].text.find("spoils a book"), std::string::npos);
    EXPECT_EQ(posts[0].text.find("the ending"), std::string::npos);
    EXPECT_EQ(posts[0].text.find("before anybody"), std::string::npos);
    EXPECT_TRUE(letters().empty());
    alice.status("the third");
    posts = letters();
    ASSERT_EQ(posts.size(), 1u);
    EXPECT_EQ(posts[0].text.find("the first"), std::string::npos);
}

TEST_P(PostsByMail, hold_what_is_public_and_nothing_else) {
    auto bob = w.local("bob");
    auto of_bob = bob.status("of bob");
    subscribed("reader@example.org");
    for (auto visibility : {"unlisted", "private", "direct"})
        alice.status("secret", {{"visibility", visibility}});
    alice.status("secret", {{"local_only", "true"}});
    alice.answers(of_bob, "secret answer");
    alice.reblogs(of_bob);
    EXPECT_TRUE(letters().empty());
    auto gone = alice.status("secret, and gone");
    alice.del("/api/v1/statuses/" + gone);
    EXPECT_TRUE(letters().empty());
}

TEST_P(PostsByMail, end_by_the_link_in_each_mail) {
    subscribed("reader@example.org");
    alice.status("hello");
    auto posts = letters();
    ASSERT_EQ(posts.size(), 1u);
    auto path = link(posts[0], "/email_subscriptions/");
    EXPECT_EQ(w.anonymous().post(path + "x").status, 404);
    w.changed();
    EXPECT_EQ(w.anonymous().get(path).status, 200);  // looking ends nothing
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(w.anonymous().post(path, {{"List-Unsubscribe", "One-Click"}}).status, 200);
    EXPECT_EQ(w.changed(), "email_subscriptions -1");
    alice.status("more");
    EXPECT_TRUE(letters().empty());
}

TEST_P(PostsByMail, end_when_the_author_wants_it_or_leaves) {
    subscribed("reader@example.org");
    alice.status("hello");
    w.write([&](db::Write& db) { accounts::choose_digests(db, user(db, alice), false); });
    EXPECT_TRUE(letters().empty());
    w.write([&](db::Write& db) { accounts::remove_user(db, user(db, alice)); });
    w.changed();
    support::run_periodic(w, email_digests::purge_subscriptions);
    EXPECT_EQ(w.changed(), "email_subscriptions -1");
}

TEST_P(PostsByMail, are_chosen_on_a_page_for_those_signed_in) {
    auto shown = w.anonymous().get("/settings/email_subscriptions");
    EXPECT_EQ(shown.status, 302);
    EXPECT_EQ(w.anonymous().post("/settings/email_subscriptions", {{"wanted", "0"}}).status, 302);
    EXPECT_EQ(w.changed(), "");
    auto secret = w.write([&](db::Write& db) {
        return oauth::begin_session(db, user(db, alice), "192.0.2.1", "Browser");
    });
    auto browser = w.anonymous().with("Cookie", "dunlin_session=" + secret);
    http::Request request;
    request.headers = {{"Cookie", "dunlin_session=" + secret}};
    auto proof = w.read([&](db::Read& db) { return oauth::visitor(db, request); }).proof;
    auto offered = [&] { return w.anonymous().get("/api/v1/accounts/" + alice.id)["email_subscriptions"]; };
    const std::string page = "/settings/email_subscriptions";
    EXPECT_NE(browser.get(page).body.find("checked"), std::string::npos);
    EXPECT_EQ(browser.post(page, {{"authenticity_token", "wrong"}}).status, 422);
    EXPECT_EQ(offered(), "true");
    EXPECT_EQ(browser.post(page, {{"authenticity_token", proof}}).status, 302);
    EXPECT_EQ(offered(), "false");
    EXPECT_EQ(browser.get(page).body.find("checked"), std::string::npos);
    EXPECT_EQ(browser.post(page, {{"authenticity_token", proof}, {"wanted", "1"}}).status, 302);
    EXPECT_EQ(offered(), "true");
}

}  // namespace

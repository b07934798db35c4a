// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/user.hpp"

#include "social/accounts/account.hpp"
#include "social/accounts/users/canonical_block.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/accounts/users/setup.hpp"
#include "social/accounts/users/sign_up_blocks.hpp"
#include "social/oauth/session.hpp"
#include "social/oauth/stage.hpp"

namespace {

using namespace oauth_test;

struct Users : Stage {
    base::UserId unconfirmed(const std::string& name, const std::string& email = {}) {
        accounts::NewUser form;
        form.username = name;
        form.email = email.empty() ? name + "@example.com" : email;
        return write([&](db::Write& db) { return accounts::create_user(db, form); });
    }
    std::optional<base::UserId> confirm(const std::string& secret) {
        return write([&](db::Write& db) { return accounts::confirm_by_secret(db, secret); });
    }
    accounts::User find(base::UserId id) {
        return read([&](db::Read& db) { return accounts::user(db, id); });
    }
};
ON_EACH_DATABASE(Users);

TEST(EmailAddresses, are_told_from_other_texts) {
    for (auto good :
         {"a@b.c",
          "Alice@Example.COM",
          "a.b+tag@sub.example.org",
          "alice@localhost",
          "ü@bücher.example",
          " a@b.c "})
        EXPECT_TRUE(accounts::email_form_errors(good).empty()) << good;
    for (auto bad :
         {"a",
          "@b.c",
          "a@",
          "a@@b.c",
          "a@b@c",
          "a b@c.d",
          ".a@b.c",
          "a.@b.c",
          "a..b@c.d",
          "a@.b",
          "a@b..c",
          "a@-b.c",
          "a@b.c.",
          "\"a\"@b.c",
          "a@b.c\r\nBcc: x@y.z",
          "a@[127.0.0.1]",
          "<a@b.c>",
          "a@b.c,d@e.f"})
        EXPECT_EQ(accounts::email_form_errors(bad)[0].code, "ERR_INVALID") << bad;
    EXPECT_EQ(accounts::email_form_errors(" ")[0].code, "ERR_BLANK");
    EXPECT_EQ(accounts::email_form_errors(std::string(320, 'a') + "@b.c")[0].code, "ERR_TOO_LONG");
}

TEST_P(Users, are_found_by_their_handle_before_an_address_that_nobody_confirmed) {
    auto alice = user("alice");
    auto handle = read([](db::Read& db) { return "alice@" + db.site().domain; });
    auto mallory = unconfirmed("mallory", handle);
    auto found = [&] {
        return read([&](db::Read& db) { return accounts::find_for_sign_in(db, handle)->id; });
    };
    EXPECT_EQ(found(), alice);
    write([&](db::Write& db) { accounts::confirm(db, mallory); });
    EXPECT_EQ(found(), mallory);
}

TEST_P(Users, are_found_by_address_and_by_name_in_any_case) {
    auto id = user("Alice");
    read([&](db::Read& db) {
        auto handle = "Alice@" + db.site().domain;
        for (std::string name :
             {"alice@EXAMPLE.com", " Alice@example.com", "alice", "ALICE", "@alice", handle.c_str()}) {
            auto found = accounts::find_for_sign_in(db, name);
            ASSERT_TRUE(found) << name;
            EXPECT_EQ(found->id, id);
        }
        EXPECT_TRUE(accounts::find_for_sign_in(db, "@" + handle));
        EXPECT_FALSE(accounts::find_for_sign_in(db, "alice@elsewhere.example"));
        EXPECT_FALSE(accounts::find_for_sign_in(db, "bob@" + db.site().domain));
        EXPECT_FALSE(accounts::find_for_sign_in(db, "bob"));
        EXPECT_FALSE(accounts::find_for_sign_in(db, ""));
        EXPECT_EQ(accounts::account(db, accounts::user(db, id).account_id).username, "Alice");
    });
}

TEST_P(Users, never_share_a_name_or_an_address) {
    user("alice");
    auto second = [&](std::string name, std::string email) {
        accounts::NewUser form;
        form.username = std::move(name);
        form.email = std::move(email);
        write([&](db::Write& db) { accounts::create_user(db, form); });
    };
    EXPECT_THROW(second("ALICE", "other@example.com"), base::Invalid);
    EXPECT_THROW(second("bob", "Alice@Example.com"), base::Invalid);
    EXPECT_NO_THROW(second("bob", "bob@example.com"));
}

TEST_P(Users, confirm_their_address_once_within_two_days) {
    auto id = unconfirmed("alice");
    ASSERT_EQ(events.confirmations.size(), 1u);
    auto secret = events.confirmations[0].secret;
    for (const auto& wrong : {std::string(), std::string("x"), base::sha256_hex(secret)})
        EXPECT_FALSE(confirm(wrong));
    EXPECT_EQ(events.activated.size(), 0u);
    EXPECT_EQ(confirm(secret), id);
    EXPECT_TRUE(find(id).usable());
    EXPECT_EQ(events.activated.size(), 1u);
    EXPECT_FALSE(confirm(secret));
    unconfirmed("bob");
    pass(2 * 86'400);
    EXPECT_FALSE(confirm(events.confirmations[1].secret));
}

TEST_P(Users, keep_the_old_address_until_the_new_one_is_confirmed) {
    auto id = user("alice");
    write([&](db::Write& db) { accounts::request_email(db, id, "New@example.com"); });
    EXPECT_EQ(find(id).email, "alice@example.com");
    EXPECT_EQ(confirm(events.confirmations[0].secret), id);
    EXPECT_EQ(find(id).email, "new@example.com");
    EXPECT_FALSE(find(id).unconfirmed_email);
}

TEST_P(Users, do_not_get_an_address_that_was_taken_meanwhile) {
    auto id = user("alice");
    write([&](db::Write& db) { accounts::request_email(db, id, "bob@example.com"); });
    user("bob");
    EXPECT_FALSE(confirm(events.confirmations[0].secret));
    EXPECT_EQ(find(id).email, "alice@example.com");
    EXPECT_THROW(
        write([&](db::Write& db) { accounts::request_email(db, id, "bob@example.com"); }), base::Invalid
    );
}

TEST_P(Users, do_not_get_an_address_that_could_not_have_signed_up) {
    auto alice = user("alice"), bob = unconfirmed("bob");
    write([](db::Write& db) {
        accounts::block_email_domain(db, "spam.example", false);
        accounts::block_email_domain(db, "looked-at.example", true);
        accounts::block_canonical_email(db, "banned@example.com", "");
    });
    auto ask = [&](base::UserId id, std::string_view address) {
        write([&](db::Write& db) { accounts::request_email(db, id, address); });
    };
    for (auto id : {alice, bob})
        for (auto address : {"me@spam.example", "me@sub.spam.example", "ban.ned+x@example.com"})
            EXPECT_THROW(ask(id, address), base::Invalid) << address;
    EXPECT_EQ(events.confirmations.size(), 1u);  // that of the sign-up
    EXPECT_FALSE(find(alice).unconfirmed_email);
    EXPECT_EQ(find(bob).email, "bob@example.com");
    ask(alice, "me@looked-at.example");  // was approved once
    EXPECT_EQ(find(alice).unconfirmed_email, "me@looked-at.example");
}

TEST_P(Users, lose_their_sessions_and_reset_links_with_a_new_password) {
    auto id = user("alice");
    auto session = write([&](db::Write& db) { return oauth::begin_session(db, id, "192.0.2.1", "Browser"); });
    write([&](db::Write& db) { accounts::request_password_reset(db, id); });
    auto secret = events.resets[0].secret;
    read([&](db::Read& db) {
        EXPECT_TRUE(oauth::find_person(db, session));
        EXPECT_TRUE(accounts::find_by_reset_secret(db, secret));
    });
    write([&](db::Write& db) { accounts::set_password(db, id, "new"); });
    read([&](db::Read& db) {
        EXPECT_FALSE(oauth::find_person(db, session));
        EXPECT_FALSE(accounts::find_by_reset_secret(db, secret));
    });
}

TEST_P(Users, lose_reset_links_with_a_new_address) {
    auto id = user("alice");
    write([&](db::Write& db) { accounts::request_password_reset(db, id); });
    auto secret = events.resets[0].secret;
    read([&](db::Read& db) { EXPECT_TRUE(accounts::find_by_reset_secret(db, secret)); });
    write([&](db::Write& db) { accounts::set_email(db, id, "elsewhere@example.com"); });
    read([&](db::Read& db) { EXPECT_FALSE(accounts::find_by_reset_secret(db, secret)); });
}

TEST_P(Users, have_six_hours_for_a_reset) {
    auto id = user("alice");
    write([&](db::Write& db) { accounts::request_password_reset(db, id); });
    pass(6 * 3600);
    read([&](db::Read& db) { EXPECT_FALSE(accounts::find_by_reset_secret(db, events.resets[0].secret)); });
}

TEST_P(Users, that_never_confirm_are_forgotten_after_a_week) {
    auto stays = user("alice");
    unconfirmed("bob");
    pass(7 * 86'400 - 10);
    auto purge = [&] { write([](db::Write& db) { accounts::purge_unconfirmed(db); }); };
    auto bob = [&] { return read([](db::Read& db) { return accounts::find_local(db, "bob").has_value(); }); };
    purge();
    EXPECT_TRUE(bob());
    pass(20);
    purge();
    purge();
    EXPECT_FALSE(bob());
    EXPECT_TRUE(find(stays).usable());
}

TEST_P(Users, with_letters_beyond_ascii_in_the_address_are_found) {
    auto id = user("alice");
    write([&](db::Write& db) { accounts::set_email(db, id, "\u00dcmit@Example.com"); });
    read([&](db::Read& db) { EXPECT_TRUE(accounts::find_by_email(db, "\u00dcmit@example.com")); });
    EXPECT_EQ(find(id).email, "\u00dcmit@example.com");
}

TEST_P(Users, get_letters_with_a_link_until_they_have_confirmed) {
    auto id = unconfirmed("alice");
    auto event = events.confirmations[0];
    auto letter = [&]() -> std::optional<accounts::SendMail> {
        base::Ask ask;
        try {
            read([&](db::Read& db) { accounts::mail_confirmation(ask, db, event); });
        } catch (const base::Needs& needs) {
            return std::any_cast<accounts::SendMail>(needs.question);
        }
        return std::nullopt;
    };
    auto first = letter(), again = letter();
    ASSERT_TRUE(first && again);
    EXPECT_EQ(first->to, "alice@example.com");
    auto link = site.public_url + "/auth/confirmation?confirmation_token=" + event.secret;
    EXPECT_NE(first->text.find(link), std::string::npos);
    EXPECT_NE(first->html.find("href=\"" + link + "\""), std::string::npos);
    EXPECT_EQ(first->text, again->text);
    confirm(event.secret);
    EXPECT_FALSE(letter());
    EXPECT_TRUE(find(id).usable());
}

TEST_P(Users, begin_with_the_owner_made_by_the_setup_code) {
    auto code = write([](db::Write& db) { return accounts::setup_code(db); });
    ASSERT_TRUE(code);
    read([&](db::Read& db) {
        EXPECT_TRUE(accounts::is_setup_code(db, *code));
        EXPECT_FALSE(accounts::is_setup_code(db, ""));
        EXPECT_NE(instance::setting(db, "setup_code_hash"), code);
    });
    auto id = write([&](db::Write& db) { return accounts::set_up(db, "admin", "root@example.com", "hash"); });
    EXPECT_EQ(find(id).role_id, accounts::owner);
    EXPECT_TRUE(find(id).usable());
    read([&](db::Read& db) { EXPECT_FALSE(accounts::is_setup_code(db, *code)); });
    EXPECT_FALSE(write([](db::Write& db) { return accounts::setup_code(db); }));
    EXPECT_THROW(
        write([](db::Write& db) { accounts::set_up(db, "eve", "e@example.com", "h"); }), base::NotFound
    );
}

}  // namespace

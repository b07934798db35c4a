// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/token.hpp"

#include "social/accounts/users/sign_up.hpp"
#include "social/oauth/stage.hpp"

namespace {

using namespace oauth_test;

const db::Command suspend{"test_suspend", "UPDATE accounts SET suspended_at = $2 WHERE id = $1"};
const db::Command move{"test_move", "UPDATE accounts SET moved_to_id = 7 WHERE id = $1"};
const db::Query<std::optional<base::Time>> last_use{"test_last_use", "SELECT last_used_at FROM tokens"};
const db::Query<std::optional<base::Time>> last_activity{
    "test_last_activity", "SELECT last_active_at FROM users"
};

struct Credentials : Stage {
    oauth::Known look_up(const std::string& token) {
        return read([&](db::Read& db) { return oauth::look_up(db, token); });
    }
    std::string token_of(const std::string& name, const std::string& scopes = "read write") {
        return write([&](db::Write& db) { return oauth::create_token(db, name, scopes); });
    }
    accounts::User find(base::UserId id) {
        return read([&](db::Read& db) { return accounts::user(db, id); });
    }
};
ON_EACH_DATABASE(Credentials);

TEST_P(Credentials, of_an_unknown_token_are_unknown) {
    for (auto token : {"", "x", "' OR 1=1"}) EXPECT_EQ(look_up(token).state, http::TokenState::unknown);
}

TEST_P(Credentials, tell_the_user_the_scopes_and_the_role) {
    auto id = user("alice", accounts::moderator);
    auto known = look_up(token_of("alice", "read write:media"));
    EXPECT_EQ(known.state, http::TokenState::live);
    ASSERT_TRUE(known.viewer);
    EXPECT_EQ(known.viewer->user, id);
    EXPECT_EQ(known.viewer->account, find(id).account_id);
    EXPECT_EQ(known.viewer->permissions, 1049884 | 65536);
    EXPECT_EQ(known.viewer->locale, "") << "none was chosen";
    EXPECT_EQ(http::to_string(known.holder.scopes), "read write:media");
    EXPECT_EQ(known.problem, "");
    EXPECT_FALSE(known.suspended);
}

TEST_P(Credentials, of_an_owner_hold_every_permission) {
    user("olga", accounts::owner);
    EXPECT_EQ(look_up(token_of("olga")).viewer->permissions, 8388607);
}

TEST_P(Credentials, of_an_app_have_no_user) {
    auto token = write([](db::Write& db) {
        return oauth::issue_token(db, oauth::command_line_app(db), {}, "read").token;
    });
    auto known = look_up(token);
    EXPECT_EQ(known.state, http::TokenState::live);
    EXPECT_FALSE(known.viewer);
    EXPECT_FALSE(known.holder.user);
}

TEST_P(Credentials, know_what_keeps_a_user_out) {
    accounts::SignUp form{"bob", "bob@example.com", "long enough", true, {}, {}, {}, {}};
    user("root", accounts::owner);
    site.approval_required = true;
    auto id = write([&](db::Write& db) { return accounts::sign_up(db, form, "hash", {}, "192.0.2.1"); });
    auto token = token_of("bob");
    auto account = find(id).account_id;
    auto change = [&](auto f) { write([&](db::Write& db) { f(db); }); };
    EXPECT_EQ(look_up(token).problem, "Your login is missing a confirmed e-mail address");
    change([&](db::Write& db) { accounts::confirm(db, id); });
    EXPECT_EQ(look_up(token).problem, "Your login is currently pending approval");
    change([&](db::Write& db) { accounts::approve(db, id); });
    EXPECT_EQ(look_up(token).problem, "");
    change([&](db::Write& db) { db.run(suspend, account, db.now()); });
    EXPECT_TRUE(look_up(token).suspended);
    change([&](db::Write& db) { db.run(suspend, account, std::optional<base::Time>()); });
    change([&](db::Write& db) { db.run(move, account); });
    EXPECT_EQ(look_up(token).problem, "Your login is currently disabled");
}

TEST_P(Credentials, are_refused_while_the_login_is_disabled_and_come_back) {
    auto id = user("bert");
    auto token = token_of("bert");
    write([&](db::Write& db) { accounts::set_disabled(db, id, true); });
    EXPECT_EQ(look_up(token).state, http::TokenState::live);
    EXPECT_EQ(look_up(token).problem, "Your login is currently disabled");
    write([&](db::Write& db) { accounts::set_disabled(db, id, false); });
    EXPECT_EQ(look_up(token).problem, "");
}

TEST_P(Credentials, end_with_a_new_password_and_a_removal) {
    auto id = user("carol");
    const std::pair<std::function<void(db::Write&)>, http::TokenState> ends[] = {
        {[&](db::Write& db) { accounts::set_password(db, id, "other"); }, http::TokenState::revoked},
        {[&](db::Write& db) { accounts::remove_user(db, id); }, http::TokenState::unknown},
    };
    for (const auto& [end, state] : ends) {
        auto token = token_of("carol");
        auto before = look_up(token);
        EXPECT_EQ(before.state, http::TokenState::live);
        write([&](db::Write& db) { end(db); });
        EXPECT_EQ(look_up(token).state, state);
        EXPECT_EQ(events.revoked.back(), before.holder.token);
    }
}

TEST_P(Credentials, are_noted_once_a_day) {
    user("dora");
    auto token = token_of("dora");
    auto known = look_up(token);
    EXPECT_FALSE(known.noted);
    auto note = [&] { write([&](db::Write& db) { oauth::note_use(db, known.holder); }); };
    auto used = [&] { return read([](db::Read& db) { return db.one(last_use); }); };
    note();
    auto first = used();
    ASSERT_TRUE(first);
    EXPECT_EQ(read([](db::Read& db) { return db.one(last_activity); }), first);
    pass(23 * 3600);
    EXPECT_TRUE(look_up(token).noted);
    note();
    EXPECT_EQ(used(), first);
    pass(2 * 3600);
    EXPECT_FALSE(look_up(token).noted);
    note();
    EXPECT_GT(used(), first);
}

}  // namespace

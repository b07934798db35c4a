// SPDX-License-Identifier: AGPL-3.0-or-later
// Signing in with a password that another server hashed.
#include "base/crypto.hpp"
#include "social/oauth/pages/page.hpp"
#include "social/oauth/stage.hpp"

const db::Command test_set_hash{"test_set_hash", "UPDATE users SET password_hash = $2 WHERE id = $1"};
const db::Query<std::string> test_hash_of{"test_hash_of", "SELECT password_hash FROM users WHERE id = $1"};

namespace {

using namespace oauth_test;

// Of "correct horse".
constexpr const char* bcrypt = "$2b$04$N9qo8uLOickgx2ZMRZoMye7lwnnKjdKULIb0Soe6BjJXxCPR1R3dC";

struct OtherPasswordsHere : Stage {
    base::UserId owner = user("root", accounts::owner), alice = user("alice");
    Browser browser{*this};

    OtherPasswordsHere() {
        services.answers<accounts::PasswordMatches>([](const auto& asked) {
            return asked.hash == "hash:" + asked.given || base::any_password_matches(asked.hash, asked.given);
        });
        write([&](db::Write& db) { db.run(test_set_hash, alice, bcrypt); });
    }
    std::string hash() {
        return read([&](db::Read& db) { return db.one(test_hash_of, alice); });
    }
};
ON_EACH_DATABASE(OtherPasswordsHere);

TEST_P(OtherPasswordsHere, are_hashed_as_ours_are_once_they_were_right) {
    EXPECT_EQ(browser.sign_in("alice", "wrong horse").status, 422);
    EXPECT_EQ(hash(), bcrypt);
    EXPECT_EQ(hashings, 0);
    EXPECT_EQ(browser.sign_in("alice", "correct horse").status, 302);
    EXPECT_EQ(hash(), "hash:correct horse");
    EXPECT_EQ(hashings, 1);
    EXPECT_EQ(browser.sign_in("alice", "correct horse", "?force=1").status, 302);
    EXPECT_EQ(hashings, 1);
}

// Nobody who waits for the hash undoes what somebody chose meanwhile.
TEST_P(OtherPasswordsHere, that_were_changed_meanwhile_stay_changed) {
    write([&](db::Write& db) { accounts::keep_own_hash(db, alice, "another hash", "hash:correct horse"); });
    EXPECT_EQ(hash(), bcrypt);
}

// Others let them be longer than we do.
TEST_P(OtherPasswordsHere, that_are_longer_than_ours_may_be_stay_as_they_were) {
    const std::string longer(80, 'x');
    services.answers<accounts::PasswordMatches>([&](const auto& asked) { return asked.given == longer; });
    EXPECT_EQ(browser.sign_in("alice", longer).status, 302);
    EXPECT_EQ(hash(), bcrypt);
    EXPECT_EQ(browser.sign_in("alice", std::string(2000, 'x'), "?force=1").status, 422);
}

}  // namespace

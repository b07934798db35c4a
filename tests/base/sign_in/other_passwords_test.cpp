// SPDX-License-Identifier: AGPL-3.0-or-later

#include "base/crypto.hpp"

#include <gtest/gtest.h>

namespace {

// Each made by a program of its own: crypt(3), Passlib, the reference implementation of Argon2.
constexpr const char* of_correct_horse[] = {
    "$2a$10$N9qo8uLOickgx2ZMRZoMye7hLCKuEIm4BcKHuoCJsBy/5Q0NErxWS",
    "$2b$04$N9qo8uLOickgx2ZMRZoMye7lwnnKjdKULIb0Soe6BjJXxCPR1R3dC",
    "$2y$12$N9qo8uLOickgx2ZMRZoMyeZgvdYuT0nWX1dSOrmMrdhIpcCb1nx2u",
    "$pbkdf2-sha512$160000$.//.LWEgc2FsdCBvZiB0aGVt$jrKKqsXvv3/q7GDV9BDb7L5s5olm/ZEW698TWnpu/KSip28BqalUbIZ8/"
    "K4FJ8wCI2j0qAkPMsrIgVldBHOznQ",
    "$pbkdf2-sha512$1000$AAECAwQFBgcICQoLDA0ODw$"
    "Xpx07WjVx4vCIvrmBRj8uOoVVtGqJqtUv2J5bhizSQs7osCteF7W4A61dZDqSIqQjO.dxO6p5FT/Uy7QRBXSXA",
    "$argon2id$v=19$m=4096,t=3,p=4$c2FsdHNhbHRzYWx0c2FsdA$Mjq+YJiQ+Q9Y5zMyDhOr/oxxudMwQ1GnvP8XVyA1l0A",
    "$argon2i$v=19$m=4096,t=3,p=1$c2FsdHNhbHRzYWx0c2FsdA$TSWXQupParD7p4pi1ivxCVZCrQyRPRrHhlEd8pbeRw8",
    "$argon2i$v=19$m=1024,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$k74KtOeXRC+Liob2I0b0MKFpIPhXAdb8cojiLViemA4",
    "$argon2id$v=19$m=8192,t=1,p=8$b3RoZXIgc2FsdCBvZiAxNg$HvnuUclL9w6SQerW0jKcpLzZ6kxsFBwWYMvRA9jnxzc",
};

TEST(OtherPasswords, fit_in_each_form_and_no_other_word_does) {
    for (const char* hash : of_correct_horse) {
        EXPECT_TRUE(base::is_other_hash(hash)) << hash;
        EXPECT_TRUE(base::any_password_matches(hash, "correct horse")) << hash;
        for (auto wrong : {"correct hors", "correct horse ", "Correct horse", "", "correct horse\n"})
            EXPECT_FALSE(base::any_password_matches(hash, wrong)) << hash;
        EXPECT_FALSE(base::any_password_matches(hash, std::string_view("correct horse\0x", 15))) << hash;
    }
}

TEST(OtherPasswords, of_ours_fit_too_and_are_not_others) {
    auto own = base::hash_password("correct horse");
    EXPECT_FALSE(base::is_other_hash(own));
    EXPECT_TRUE(base::any_password_matches(own, "correct horse"));
    EXPECT_FALSE(base::any_password_matches(own, "correct"));
    EXPECT_FALSE(base::any_password_matches("", ""));
}

TEST(OtherPasswords, that_a_byte_was_changed_in_fit_nothing) {
    for (std::string hash : of_correct_horse) {
        auto changed = hash;
        auto& last = changed[changed.size() - 5];
        last = last == 'A' ? 'B' : 'A';
        EXPECT_FALSE(base::any_password_matches(changed, "correct horse")) << changed;
        EXPECT_FALSE(base::any_password_matches(hash.substr(0, hash.size() / 2), "correct horse")) << hash;
        EXPECT_FALSE(base::any_password_matches(hash + "A", "correct horse")) << hash;
    }
}

// Each of these would be computed for minutes, or take all memory.
TEST(OtherPasswords, that_would_cost_too_much_fit_nothing_at_once) {
    const std::string rest(53, 'a');
    for (const auto& hash :
         {"$2b$31$" + rest,
          "$2b$15$" + rest,
          "$2b$99$" + rest,
          "$2b$-1$" + rest,
          "$2b$00$" + rest,
          std::string("$pbkdf2-sha512$2000000000$c2FsdHNhbHRzYWx0c2FsdA$") + std::string(86, 'a'),
          std::string("$pbkdf2-sha512$99999999999999999999$c2FsdA$") + std::string(86, 'a'),
          std::string("$pbkdf2-sha512$0$c2FsdA$") + std::string(86, 'a'),
          std::string("$pbkdf2-sha512$1000$c2FsdA$") + std::string(400, 'a'),
          std::string("$pbkdf2-sha512$1000$c2FsdA$"),
          std::string("$argon2id$v=19$m=4294967295,t=3,p=4$c2FsdHNhbHRzYWx0$") + std::string(43, 'a'),
          std::string("$argon2id$v=19$m=8,t=4294967295,p=1$c2FsdHNhbHRzYWx0$") + std::string(43, 'a'),
          std::string("$argon2id$v=19$m=65536,t=3000,p=4$c2FsdHNhbHRzYWx0$") + std::string(43, 'a'),
          std::string("$argon2id$v=19$m=65536,t=3$c2FsdHNhbHRzYWx0$") + std::string(43, 'a'),
          std::string("$argon2id$v=19$m=8,t=1,p=1,m=4294967295$c2FsdHNhbHRzYWx0$") + std::string(43, 'a'),
          std::string("$argon2d$v=19$m=64,t=1,p=1$c2FsdHNhbHRzYWx0$") + std::string(43, 'a')}) {
        EXPECT_TRUE(base::is_other_hash(hash)) << hash;
        EXPECT_FALSE(base::any_password_matches(hash, "correct horse")) << hash;
    }
}

}  // namespace

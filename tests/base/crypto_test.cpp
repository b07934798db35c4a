// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/crypto.hpp"

#include "base/signing.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

TEST(Crypto, hashes_as_the_standards_say) {
    EXPECT_EQ(base::sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(
        base::hex(base::sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    );
    EXPECT_EQ(
        base::hex(base::hmac_sha256("Jefe", "what do ya want for nothing?")),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    );  // RFC 4231, case 2
}

TEST(Crypto, encodes_in_both_alphabets) {
    EXPECT_EQ(base::base64("\xfb\xff\xfe"), "+//+");
    EXPECT_EQ(base::base64url("\xfb\xff\xfe"), "-__-");
    EXPECT_EQ(base::base64("a"), "YQ==");
    EXPECT_EQ(base::base64url("a"), "YQ");
    EXPECT_EQ(base::base64(""), "");
    EXPECT_EQ(base::hex(std::string("\0\x0f\xff", 3)), "000fff");
}

TEST(Crypto, reads_base64_in_both_alphabets_and_nothing_else) {
    for (auto text : {"+//+", "-__-"}) EXPECT_EQ(base::from_base64(text), "\xfb\xff\xfe") << text;
    for (auto text : {"YQ==", "YQ"}) EXPECT_EQ(base::from_base64(text), "a") << text;
    EXPECT_EQ(base::from_base64(""), "");
    for (auto text : {"A", "YR", "YQ=YQ", "Y Q=", "YQ\n", "+-//", "YQ.", "*"})
        EXPECT_FALSE(base::from_base64(text)) << text;
    const std::string whole = "dGVzdA";
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (int byte = 0x80; byte < 0x100; ++byte) {
            auto text = whole;
            text[at] = static_cast<char>(byte);
            EXPECT_FALSE(base::from_base64(text)) << byte;
        }
}

TEST(Crypto, makes_tokens_of_43_characters_that_differ) {
    std::set<std::string> seen;
    for (int i = 0; i < 100; ++i) {
        auto token = base::random_token();
        EXPECT_EQ(token.size(), 43u);
        EXPECT_EQ(
            token.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
            token.npos
        );
        EXPECT_TRUE(seen.insert(token).second);
    }
    EXPECT_EQ(base::random_bytes(16).size(), 16u);
}

TEST(Crypto, compares_secrets) {
    EXPECT_TRUE(base::same_secret("abc", "abc"));
    EXPECT_FALSE(base::same_secret("abc", "abd"));
    EXPECT_FALSE(base::same_secret("abc", "ab"));
    EXPECT_TRUE(base::same_secret("", ""));
}

TEST(Crypto, knows_its_passwords_again) {
    auto hash = base::hash_password("correct horse");
    EXPECT_TRUE(hash.starts_with("$argon2id$")) << hash;
    EXPECT_TRUE(base::password_matches(hash, "correct horse"));
    EXPECT_FALSE(base::password_matches(hash, "correct horsf"));
    EXPECT_FALSE(base::password_matches(hash, ""));
    EXPECT_FALSE(base::password_matches("", ""));
    EXPECT_FALSE(base::password_matches("nonsense", "nonsense"));
    EXPECT_NE(base::hash_password("correct horse"), hash);
}

TEST(Crypto, makes_p256_keys) {
    auto key = base::new_p256_key();
    EXPECT_EQ(key.public_point.size(), 65u);
    EXPECT_EQ(key.public_point[0], '\x04');
    EXPECT_NE(key.private_pem.find("PRIVATE KEY"), std::string::npos);
}

}  // namespace

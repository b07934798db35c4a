// SPDX-License-Identifier: AGPL-3.0-or-later
// An authenticator of the test makes what a real one would; Chromium's own is asked in tests/e2e.
#include "base/sign_in/passkey.hpp"

#include "support/passkey.hpp"

#include <gtest/gtest.h>

namespace {

using support::Authenticator;

const base::PasskeyQuestion asked{"challenge of the test", "https://dunlin.example", "dunlin.example"};

struct Passkeys : testing::Test {
    Authenticator phone;
    base::NewPasskey known = *base::made_passkey(
        asked, Authenticator::client_data(asked, "webauthn.create"), phone.registration(asked.host)
    );

    bool shown(
        const base::PasskeyQuestion& question, const base::PasskeyQuestion& answered, int flags = 1,
        const char* type = "webauthn.get", const char* host = "dunlin.example"
    ) {
        auto client_data = Authenticator::client_data(answered, type);
        auto data = phone.data(host, flags);
        return base::shown_passkey(question, known, client_data, data, phone.sign(data, client_data))
            .has_value();
    }
    bool made(
        const base::PasskeyQuestion& answered, const std::string& data, const char* type = "webauthn.create"
    ) {
        return base::made_passkey(asked, Authenticator::client_data(answered, type), data).has_value();
    }
};

TEST_F(Passkeys, are_read_and_show_who_holds_them) {
    EXPECT_EQ(known.id, phone.id);
    EXPECT_EQ(known.algorithm, -7);
    EXPECT_TRUE(shown(asked, asked));
}

TEST_F(Passkeys, answer_this_question_of_this_page_alone) {
    auto other = asked;
    other.challenge = "another";
    EXPECT_FALSE(shown(asked, other));
    other = asked;
    other.origin = "https://dunlin.example.evil";
    EXPECT_FALSE(shown(asked, other));
    EXPECT_FALSE(made(other, phone.registration(asked.host)));
    EXPECT_FALSE(shown(asked, asked, 1, "webauthn.create"));
    EXPECT_FALSE(shown(asked, asked, 1, "webauthn.get", "evil.example"));
    EXPECT_FALSE(made(asked, phone.registration("evil.example")));
    EXPECT_FALSE(made(asked, phone.registration(asked.host), "webauthn.get"));
}

TEST_F(Passkeys, need_somebody_there_and_a_verified_person_where_asked) {
    EXPECT_FALSE(shown(asked, asked, 0));
    auto strict = asked;
    strict.person = true;
    EXPECT_FALSE(shown(strict, asked, 1));
    EXPECT_TRUE(shown(strict, asked, 1 | 4));
}

TEST_F(Passkeys, are_not_signed_by_others) {
    Authenticator thief;
    auto client_data = Authenticator::client_data(asked, "webauthn.get");
    auto data = phone.data(asked.host, 1);
    EXPECT_FALSE(base::shown_passkey(asked, known, client_data, data, thief.sign(data, client_data)));
    EXPECT_FALSE(base::shown_passkey(asked, known, client_data, data, ""));
    EXPECT_FALSE(base::shown_passkey(asked, known, client_data, "", phone.sign("", client_data)));
}

TEST_F(Passkeys, of_nonsense_are_none) {
    auto whole = phone.registration(asked.host);
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_FALSE(made(asked, whole.substr(0, size))) << size;
    for (auto text : {"", "{", "[]", "null", "{\"type\":1}", "\xff"})
        EXPECT_FALSE(base::made_passkey(asked, text, whole)) << text;
    EXPECT_FALSE(made(asked, std::string(100'000, 'x')));
}

}  // namespace

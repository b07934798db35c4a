// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/sign_in/authenticator.hpp"

#include <gtest/gtest.h>

namespace {

const std::string rfc_key = "12345678901234567890";

base::Time at(std::int64_t seconds) { return {seconds * 1000}; }

TEST(Totp, gives_what_RFC_6238_says) {
    struct Vector {
        std::int64_t seconds;
        const char* code;
    };
    const Vector vectors[] = {
        {59, "94287082"},
        {1'111'111'109, "07081804"},
        {1'111'111'111, "14050471"},
        {1'234'567'890, "89005924"},
        {2'000'000'000, "69279037"},
        {20'000'000'000, "65353130"},
    };
    for (const auto& [seconds, code] : vectors)
        EXPECT_EQ(base::totp(rfc_key, base::totp_step(at(seconds)), 8), code) << seconds;
    EXPECT_EQ(base::totp(rfc_key, 1), "287082");
}

TEST(Totp, bears_clocks_that_differ_by_one_step_and_not_by_two) {
    const auto now = at(1'234'567'890);
    auto found = [&](std::int64_t drift, std::int64_t after = 0) {
        auto code = base::totp(rfc_key, base::totp_step(now) + drift);
        return base::step_of_totp(rfc_key, code, now, after).has_value();
    };
    for (std::int64_t drift : {-1, 0, 1}) EXPECT_TRUE(found(drift)) << drift;
    for (std::int64_t drift : {-3, -2, 2, 3}) EXPECT_FALSE(found(drift)) << drift;
    EXPECT_FALSE(found(0, base::totp_step(now))) << "used up";
    EXPECT_TRUE(found(1, base::totp_step(now)));
    EXPECT_FALSE(base::step_of_totp(rfc_key, "", now, 0));
    EXPECT_FALSE(base::step_of_totp(rfc_key, "123", now, 0));
}

TEST(Base32, is_that_of_RFC_4648_without_padding) {
    const std::pair<const char*, const char*> vectors[] = {
        {"", ""},
        {"f", "MY"},
        {"fo", "MZXQ"},
        {"foo", "MZXW6"},
        {"foob", "MZXW6YQ"},
        {"fooba", "MZXW6YTB"},
        {"foobar", "MZXW6YTBOI"}
    };
    for (const auto& [bytes, text] : vectors) EXPECT_EQ(base::base32(bytes), text);
    EXPECT_EQ(base::new_totp_key().size(), 20u);
}

TEST(Qr, is_drawn_of_an_address_that_apps_understand) {
    auto address = base::totp_address("a b.example", "alice@a b.example", rfc_key);
    EXPECT_EQ(
        address,
        "otpauth://totp/a%20b.example:alice%40a%20b.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer="
        "a%20b.example"
    );
    auto svg = base::qr_svg(address);
    EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
    EXPECT_EQ(svg.find_first_of("&{"), svg.npos);
    EXPECT_THROW(base::qr_svg(std::string(5000, 'x')), std::runtime_error);
}

}  // namespace

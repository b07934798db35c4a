// SPDX-License-Identifier: AGPL-3.0-or-later
// Generated from the route table: who holds a stolen session guesses the password nowhere longer than at the sign-in.
#include "social/oauth/stage.hpp"

#include <gtest/gtest.h>

namespace {

using namespace oauth_test;

struct Guessing : Stage {
    Guessing() : Stage(true) {}
    std::string page;
    int posted(Browser& browser, int from) {
        const auto number = std::to_string(from);
        address = "198.51.100." + number;
        return browser.post(page, {{"password", number}, {"email", number + "@example.com"}}).status;
    }
};
ON_EACH_DATABASE(Guessing);

TEST_P(Guessing, the_password_of_who_is_signed_in_is_counted_whatever_the_address) {
    user("alice"), user("bob");
    Browser stolen(*this), other(*this);
    stolen.sign_in("alice"), other.sign_in("bob");
    int tried = 0;
    for (const auto* route : router.routes()) {
        const bool of_email = route->path == "/settings/account/email";
        const bool asks = route->throttle == http::Throttle::login && route->throttled_by.empty();
        if (route->method != http::Method::post || !(asks || of_email)) continue;
        ++tried;
        page = route->path;
        if (auto at = page.find(":id"); at != page.npos) page.replace(at, 3, "1");
        pass(3600);
        for (int from = 1; from <= 25; ++from) {
            const auto status = posted(stolen, from);
            if (!of_email) EXPECT_NE(status, 429) << page << " " << from;
        }
        EXPECT_EQ(posted(stolen, 26), 429) << page;
        EXPECT_NE(posted(other, 27), 429) << page;
    }
    EXPECT_GE(tried, 12);
}

}  // namespace

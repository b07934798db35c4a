// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/settings.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::HasSubstr;
using testing::Not;

struct Robots : OnEachWorld {};
ON_EACH_DATABASE(Robots);

TEST_P(Robots, may_read_posts_and_are_told_when_they_may_not) {
    auto asked = [&] { return w.anonymous().get("/robots.txt"); };
    EXPECT_EQ(asked().status, 200);
    EXPECT_EQ(asked().header("Content-Type"), "text/plain; charset=utf-8");
    EXPECT_THAT(asked().body, HasSubstr("User-agent: *\nDisallow: /admin\n"));
    EXPECT_THAT(asked().body, Not(HasSubstr("User-agent: *\nDisallow: /\n")));
    w.write([](db::Write& db) { instance::set_setting(db, "noindex", "true"); });
    EXPECT_EQ(asked().body, "User-agent: *\nDisallow: /\n");
}

}  // namespace

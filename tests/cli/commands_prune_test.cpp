// SPDX-License-Identifier: AGPL-3.0-or-later
#include <gmock/gmock.h>

#include "server/program.hpp"

namespace {

using testing::HasSubstr;

struct PruneCommand : Program {};

TEST_F(PruneCommand, says_what_takes_room_and_removes_what_the_rules_let_go) {
    ASSERT_EQ(run("migrate").status, 0);
    const auto told = run("prune --dry-run --days 90 --json");
    EXPECT_EQ(told.status, 0) << told.err;
    EXPECT_THAT(told.out, HasSubstr(R"("kind":"posts of other servers","number":0,"bytes":0,"goes":0)"));
    EXPECT_THAT(run("prune --dry-run").out, HasSubstr("Posts stay: remote_posts_days is 0."));
    const auto done = run("prune --remote-posts-days 30");
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("0 copies of pictures, 0 previews of links and 0 posts"));
    EXPECT_THAT(done.out, HasSubstr("0 homes of people who are away"));
    EXPECT_THAT(run("prune --dry-run --home-days 90").out, HasSubstr("homes of people away for 90 days"));
    EXPECT_THAT(run("prune --days 30").err, HasSubstr("--days goes with --dry-run"));
    EXPECT_EQ(run("prune --dry-run --days none").status, 2);
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// The real server, asked how it does.
#include "base/json_read.hpp"
#include "server/serving.hpp"
#include "social/insight/vitals.hpp"

namespace {

using testing::Contains, testing::Field, testing::HasSubstr, testing::SizeIs;

struct Top : server_test::Serve {};

TEST_F(Top, tells_of_the_running_server) {
    auto none = run("top --once");
    EXPECT_EQ(none.status, 1);
    EXPECT_THAT(none.err, HasSubstr("No server is running on the folder"));
    start("--readers 3");
    for (int i = 0; i < 20; ++i) EXPECT_EQ(get("/api/v2/instance").status, 200);
    const auto all = base::json::read<std::vector<insight::Vitals>>(run("top --json").out);
    ASSERT_THAT(all, SizeIs(1));
    const auto& now = all[0];
    EXPECT_THAT(now.routes, Contains(Field(&insight::RouteCost::path, "/api/v2/instance")));
    EXPECT_GE(now.routes[0].requests, 20);
    EXPECT_GT(now.memory_bytes, 1 << 20);
    EXPECT_GT(now.database_bytes.value_or(0), 4096);
    ASSERT_TRUE(now.queues);
    ASSERT_THAT(now.nodes, SizeIs(1));
    EXPECT_EQ(now.nodes[0].name, now.node);
    EXPECT_TRUE(now.nodes[0].leads);
    auto shown = run("top --once");
    EXPECT_EQ(shown.status, 0) << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("GET /api/v2/instance"));
    EXPECT_THAT(shown.out, HasSubstr("requests/s"));
    EXPECT_EQ(run("top").status, 0) << "there is no terminal, so it ends";
}

TEST_F(Top, tells_whom_rate_limits_refused) {
    start("--readers 2");
    EXPECT_THAT(run("top limits").out, HasSubstr("Nobody was refused"));
    long status = 200;
    for (int i = 0; i < 10 && status != 429; ++i)
        status = send("/api/v1/apps", "client_name=a&redirect_uris=urn:ietf:wg:oauth:2.0:oob", "").status;
    ASSERT_EQ(status, 429);
    const auto all = base::json::read<std::vector<insight::RefusedOne>>(run("top limits --json").out);
    ASSERT_THAT(all, SizeIs(1));
    EXPECT_EQ(all[0].limit, "registration of apps");
    EXPECT_EQ(all[0].who, "127.0.0.1");
    EXPECT_EQ(all[0].times, 1);
    EXPECT_THAT(run("top limits").out, HasSubstr("registration of apps"));
    const auto shown = base::json::read<std::vector<insight::Vitals>>(run("top --json").out);
    ASSERT_THAT(shown, SizeIs(1));
    EXPECT_THAT(shown[0].refused, SizeIs(1));
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// What an operator pauses, on the real server.
#include "serving.hpp"

namespace {

using testing::HasSubstr;

struct Pauses : server_test::Serve {
    std::string token_of_alice() {
        EXPECT_EQ(run("account create alice --email alice@example.org --confirmed").status, 0);
        auto token = run("token create alice --scopes 'read write'").out;
        if (!token.empty()) token.pop_back();
        return token;
    }
};

TEST_F(Pauses, read_only_refuses_changes_with_the_reason_until_it_is_off_and_over_a_restart) {
    start();
    const auto token = token_of_alice();
    ASSERT_EQ(send("/api/v1/statuses", "status=before", token).status, 200);
    const auto on = run("read-only on --reason 'We are moving'");
    ASSERT_EQ(on.status, 0) << on.err;
    EXPECT_EQ(on.out, "Read-only: nothing is written any more (1 server).\nPeople are told: We are moving\n");

    auto refused = send("/api/v1/statuses", "status=during", token);
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.body, R"({"error":"We are moving"})");
    EXPECT_THAT(refused.headers, HasSubstr("Retry-After: 30"));
    EXPECT_EQ(send("/inbox", "{}", "").status, 503);
    EXPECT_EQ(get("/api/v1/accounts/verify_credentials", token).status, 200);

    EXPECT_EQ(stop(SIGTERM), 0);
    address.clear();
    start();
    EXPECT_EQ(send("/api/v1/statuses", "status=during", token).status, 503);
    EXPECT_THAT(run("read-only").out, HasSubstr("nothing is written (1 server)"));

    EXPECT_EQ(run("read-only off").out, "Changes are made again (1 server).\n");
    EXPECT_EQ(send("/api/v1/statuses", "status=after", token).status, 200);
    const auto home = get("/api/v1/timelines/home", token).body;
    EXPECT_THAT(home, HasSubstr("before"));
    EXPECT_THAT(home, HasSubstr("after"));
    EXPECT_THAT(home, testing::Not(HasSubstr("during")));
}

TEST_F(Pauses, can_be_begun_before_the_server_is_started) {
    start();
    EXPECT_EQ(stop(SIGTERM), 0);
    EXPECT_EQ(run("read-only on").out, "Read-only: nothing is written any more (no server is running).\n");
    address.clear();
    start();
    auto refused = send("/api/v1/apps", "client_name=a&redirect_uris=urn:ietf:wg:oauth:2.0:oob", "");
    EXPECT_EQ(refused.status, 503);
    EXPECT_THAT(refused.body, HasSubstr("This server is read-only at the moment"));
}

TEST_F(Pauses, say_which_folder_is_missing) {
    data = folder / "nowhere";
    const auto refused = run("read-only on");
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.err, HasSubstr("name the data folder of your server with --data"));
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// What an operator pauses, on the real server.
#include "serving.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace {

using testing::HasSubstr;

struct Pauses : server_test::Serve {
    server_test::Answer get_page(const std::string& path) const {
        return ask(path, nullptr, "", nullptr, "Accept: text/html");
    }
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

// Who is root has made a file that the server's user cannot read, unless it is given to them.
TEST_F(Pauses, that_root_begins_are_the_servers_to_read) {
    if (::geteuid() != 0) GTEST_SKIP() << "not root";
    constexpr uid_t somebody = 65'534;
    std::filesystem::create_directories(data);
    ASSERT_EQ(::chown(data.c_str(), somebody, somebody), 0);
    ASSERT_EQ(run("maintenance on --message back").status, 0);
    struct stat facts{};
    ASSERT_EQ(::stat((data / "maintenance").c_str(), &facts), 0);
    EXPECT_EQ(facts.st_uid, somebody);
    EXPECT_THAT(run("emoji create blob blob.png").err, HasSubstr("belongs to "));
    ASSERT_EQ(::chown(data.c_str(), 0, 0), 0);
}

TEST_F(Pauses, tell_no_half_of_a_character) {
    std::filesystem::create_directories(data);
    std::string long_one = "x";
    for (int i = 0; i < 400; ++i) long_one += "я";
    ASSERT_EQ(run("maintenance on --message '" + long_one + "'").status, 0);
    const auto told = run("maintenance --json").out;
    EXPECT_THAT(told, HasSubstr("\"sentence\":\"" + long_one.substr(0, 499) + "\""));
}

TEST_F(Pauses, say_which_folder_is_missing) {
    data = folder / "nowhere";
    const auto refused = run("read-only on");
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.err, HasSubstr("name the data folder of your server with --data"));
}

TEST_F(Pauses, maintenance_lets_in_the_team_alone_and_tells_everybody_else_when_to_come_again) {
    start();
    const auto token = token_of_alice();
    ASSERT_EQ(run("account create olga --email olga@example.org --confirmed --role owner").status, 0);
    auto of_owner = run("token create olga --scopes 'read write'").out;
    of_owner.pop_back();
    const auto on = run("maintenance on --message 'Back at noon'");
    EXPECT_EQ(on.out, "Maintenance: only the team is let in (1 server).\nPeople are told: Back at noon\n");

    const auto kept_out = get("/api/v1/timelines/home", token);
    EXPECT_EQ(kept_out.status, 503);
    EXPECT_EQ(kept_out.body, R"({"error":"Back at noon"})");
    EXPECT_THAT(kept_out.headers, HasSubstr("Retry-After: 120"));
    EXPECT_EQ(get("/api/v2/instance").status, 503);
    EXPECT_EQ(send("/api/v1/statuses", "status=no", token).status, 503);
    EXPECT_EQ(get("/users/alice").status, 503) << "other servers come again, too";
    const auto page = get_page("/@alice");
    EXPECT_EQ(page.status, 503);
    EXPECT_THAT(page.body, HasSubstr("Back at noon"));
    EXPECT_EQ(get_page("/auth/sign_in").status, 200) << "where the team gets in";
    const auto status = get_page("/status");
    EXPECT_EQ(status.status, 200) << "what tells why";
    EXPECT_THAT(status.body, HasSubstr("Back at noon"));
    EXPECT_EQ(get("/health").status, 200);
    EXPECT_EQ(get("/static/style.css").status, 200);
    EXPECT_EQ(get("/api/v1/timelines/home", of_owner).status, 200);
    EXPECT_EQ(send("/api/v1/statuses", "status=yes", of_owner).status, 200);

    EXPECT_EQ(stop(SIGTERM), 0);
    address.clear();
    start();
    EXPECT_EQ(get("/api/v1/timelines/home", token).status, 503) << "over a restart";
    EXPECT_EQ(run("maintenance off").out, "Everybody is let in (1 server).\n");
    EXPECT_EQ(get("/api/v1/timelines/home", token).status, 200);
    EXPECT_EQ(get_page("/@alice").status, 200);
}

}  // namespace

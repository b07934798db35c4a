// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/serving.hpp"

namespace {

using testing::HasSubstr, testing::Not;

struct SettingCommands : server_test::Serve {
    bool soon(const std::string& path, const std::string& words) const {
        for (int tries = 0; tries < 600; ++tries) {
            if (get(path).body.find(words) != std::string::npos) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return false;
    }
};

TEST_F(SettingCommands, change_what_the_running_server_is) {
    start("--no-rate-limits");
    EXPECT_THAT(get("/api/v2/instance").body, HasSubstr("\"title\":\"Dunlin\""));
    EXPECT_EQ(run("setting set title 'The birds'").out, "title = The birds\n");
    EXPECT_TRUE(soon("/api/v2/instance", "\"title\":\"The birds\""));
    EXPECT_EQ(run("setting get title").out, "The birds\n");
    EXPECT_EQ(run("setting set max_characters 700").status, 0);
    EXPECT_TRUE(soon("/api/v2/instance", "\"max_characters\":700"));
    EXPECT_EQ(run("setting set restricted true").status, 0);
    for (int tries = 0; tries < 600 && get("/api/v1/timelines/public").status != 401; ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(get("/api/v1/timelines/public").status, 401);
    EXPECT_EQ(run("setting undo title").out, "title = Dunlin\n");
    EXPECT_TRUE(soon("/api/v2/instance", "\"title\":\"Dunlin\""));
    EXPECT_EQ(stop(SIGTERM), 0);
    address.clear();
    start();
    EXPECT_THAT(get("/api/v2/instance").body, HasSubstr("\"max_characters\":700")) << "it is kept";
}

TEST_F(SettingCommands, say_what_wins) {
    ASSERT_EQ(run("migrate").status, 0);
    ASSERT_EQ(run("setting set title Stored").status, 0);
    std::ofstream(data / "dunlin.toml") << "title = \"Written\"\n";
    EXPECT_EQ(run("setting get title").out, "Written\n");
    EXPECT_THAT(run("setting list").out, HasSubstr("dunlin.toml:1"));
    const auto refused = run("setting set title Other");
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.err, HasSubstr("dunlin.toml:1, which wins"));
    start();
    EXPECT_THAT(get("/api/v2/instance").body, HasSubstr("\"title\":\"Written\""));
    EXPECT_EQ(stop(SIGTERM), 0);
    std::filesystem::remove(data / "dunlin.toml");
    EXPECT_EQ(run("setting get title").out, "Stored\n");
}

TEST_F(SettingCommands, refuse_what_cannot_be) {
    ASSERT_EQ(run("migrate").status, 0);
    for (auto wrong :
         {"nonsense 1",
          "max_media 99",
          "max_media many",
          "registrations ajar",
          "language xx-nonsense",
          "contact_email nobody",
          "confirmation maybe",
          "title ''"}) {
        const auto refused = run("setting set " + std::string(wrong));
        EXPECT_EQ(refused.status, 1) << wrong;
        EXPECT_NE(refused.err, "") << wrong;
    }
    EXPECT_THAT(run("setting set nonsense 1").err, HasSubstr("dunlin setting list"));
    EXPECT_EQ(run("setting undo title").status, 1);
    EXPECT_EQ(run("setting history").out, "Nothing was changed yet.\n");
}

TEST_F(SettingCommands, tell_their_history_and_leave_it_in_the_log) {
    ASSERT_EQ(run("migrate").status, 0);
    for (auto title : {"One", "Two"}) run("setting set title " + std::string(title));
    run("setting set allowed_servers a.example,b.example");
    EXPECT_EQ(run("setting get allowed_servers").out, "a.example,b.example\n");
    const auto history = run("setting history title").out;
    EXPECT_THAT(history, HasSubstr("One"));
    EXPECT_THAT(history, HasSubstr("Two"));
    EXPECT_THAT(history, HasSubstr("operator"));
    EXPECT_THAT(history, Not(HasSubstr("allowed_servers")));
    EXPECT_THAT(
        run("setting history --json").out, HasSubstr("\"before_value\":\"One\",\"after_value\":\"Two\"")
    );
    EXPECT_THAT(run("audit list").out, HasSubstr("Setting title"));
}

TEST_F(SettingCommands, print_the_letter_of_the_week) {
    ASSERT_EQ(run("migrate").status, 0);
    const auto printed = run("digest --dry-run");
    EXPECT_EQ(printed.status, 0) << printed.err;
    EXPECT_THAT(printed.out, HasSubstr("A week of Dunlin\n\nFrom 20"));
    EXPECT_THAT(printed.out, HasSubstr("* Posts in this week: 0\n"));
    EXPECT_THAT(printed.out, HasSubstr("* The database takes: "));
    EXPECT_THAT(printed.err, HasSubstr("No server runs"));
    start();
    EXPECT_THAT(run("digest --dry-run").out, HasSubstr("* Free for the database: "));
    EXPECT_THAT(run("digest --json").out, HasSubstr("\"host\":\""));
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "config/clock.hpp"
#include "db/open.hpp"
#include "db/transaction.hpp"
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
    std::int64_t jobs_of(const std::string& kind) const {
        static const db::Query<std::int64_t> count{"count", "SELECT count(*) FROM jobs WHERE kind = $1"};
        db::Options options;
        options.sqlite_file = data / "dunlin.db";
        const auto connection = db::open_connection(options, db::Mode::write);
        const base::Site site;
        return db::read_now(*connection, {&site, server::clock_now, nullptr}, [&](db::Read& db) {
            return db.one(count, kind);
        });
    }
};

TEST_F(SettingCommands, are_followed_while_nothing_is_written_and_written_down_later) {
    start("--readers 1 --no-rate-limits");
    const auto actor_soon = [&](long status) {
        for (int tries = 0; tries < 600; ++tries) {
            const auto answer =
                ask("/users/alice", nullptr, "", nullptr, "Accept: application/activity+json").status;
            if (answer == status) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return false;
    };
    ASSERT_EQ(run("account create alice --email alice@example.org --confirmed").status, 0);
    ASSERT_TRUE(actor_soon(200));
    ASSERT_EQ(run("read-only on").status, 0);
    for (auto title : {"One", "Two", "Three"}) {  // as often as there are readers, and more
        EXPECT_EQ(run("setting set title " + std::string(title)).status, 0);
        EXPECT_TRUE(soon("/api/v2/instance", "\"title\":\"" + std::string(title) + "\""));
    }
    EXPECT_EQ(run("setting set authorized_fetch true").status, 0);
    ASSERT_EQ(run("read-only off").status, 0);
    EXPECT_TRUE(actor_soon(401)) << "what rules look for is in the database by now";
}

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
    EXPECT_THAT(run("digest --dry-run --json").out, HasSubstr("\"host\":\""));
}

TEST_F(SettingCommands, send_the_letter_of_the_week_also_where_json_is_asked_for) {
    ASSERT_EQ(run("migrate").status, 0);
    ASSERT_EQ(run("digest --dry-run --json").status, 0);
    EXPECT_EQ(jobs_of("write_weekly_digest"), 0) << "it is only printed";
    EXPECT_EQ(run("digest --json").out, "{\"asked\":true}\n");
    EXPECT_EQ(jobs_of("write_weekly_digest"), 1);
    EXPECT_THAT(run("digest").out, HasSubstr("The running server writes it"));
    EXPECT_EQ(jobs_of("write_weekly_digest"), 2);
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// A database into another one, as an operator has it done.
#include <gmock/gmock.h>

#include "server/program.hpp"
#include "support/postgres_databases.hpp"

namespace {

using testing::HasSubstr, testing::Not;

struct CopyCommands : Program {
    std::string other = (folder / "other").string(), dump = (folder / "site.dump").string();

    void begin() { ASSERT_EQ(run("account create alice --email alice@example.org --confirmed").status, 0); }
};

TEST_F(CopyCommands, dump_and_load_a_site) {
    begin();
    auto made = run("dump " + dump);
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("tables are in " + dump));
    EXPECT_EQ(
        std::filesystem::status(dump).permissions() & std::filesystem::perms::mask,
        std::filesystem::perms::owner_read | std::filesystem::perms::owner_write
    );
    EXPECT_THAT(run("dump " + dump).err, HasSubstr("There is a file " + dump + " already"));
    EXPECT_EQ(run("dump -").out, contents(dump));

    auto loaded = run("load " + dump + " --data " + other);
    EXPECT_EQ(loaded.status, 0) << loaded.err;
    EXPECT_THAT(run("account list --data " + other).out, HasSubstr("alice"));
    auto twice = run("load " + dump + " --data " + other);
    EXPECT_EQ(twice.status, 1);
    EXPECT_THAT(twice.err, HasSubstr("There is a database in " + other + " already"));
    EXPECT_THAT(
        run("load /dev/null --data " + other + "2").err, HasSubstr("This is no portable dump of Dunlin")
    );
}

TEST_F(CopyCommands, move_a_site_and_say_what_is_left_to_do) {
    begin();
    auto moved = run("migrate-to sqlite:" + other);
    EXPECT_EQ(moved.status, 0) << moved.err;
    EXPECT_THAT(moved.out, HasSubstr("The server is read-only now."));
    EXPECT_THAT(moved.out, HasSubstr("data = \"" + other + "\" in dunlin.toml"));
    EXPECT_THAT(run("read-only").out, HasSubstr("Read-only"));
    EXPECT_THAT(run("read-only --data " + other).out, Not(HasSubstr("Read-only")));
    EXPECT_EQ(run("migrate-to sqlite:" + other + " --check").out, "Every table is the same in both.\n");
    EXPECT_EQ(run("account create bob --email bob@example.org --confirmed --data " + other).status, 0);
    auto differs = run("migrate-to sqlite:" + other + " --check");
    EXPECT_EQ(differs.status, 1);
    EXPECT_THAT(differs.out, HasSubstr("accounts: 1 rows here, 2 there, and not the same"));
    EXPECT_THAT(run("migrate-to --forget").out, HasSubstr("No run has left anything."));
}

TEST_F(CopyCommands, leave_the_server_as_it_was_where_they_refuse) {
    begin();
    ASSERT_EQ(run("account create bob --email bob@example.org --confirmed --data " + other).status, 0);
    auto refused = run("migrate-to sqlite:" + other);
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.err, HasSubstr("There is a database in " + other + " already"));
    EXPECT_THAT(run("migrate-to mysql://x").err, HasSubstr("is no database; write postgres://"));
    EXPECT_THAT(run("migrate-to").err, HasSubstr("Say where to"));
    EXPECT_THAT(run("read-only").out, Not(HasSubstr("Read-only")));
}

TEST_F(CopyCommands, move_a_site_to_postgres_and_back) {
    if (!support::postgres_url()) GTEST_SKIP() << "no PostgreSQL";
    begin();
    const support::PostgresDatabase database(false);
    auto there = run("migrate-to '" + database.url() + "'");
    EXPECT_EQ(there.status, 0) << there.err;
    EXPECT_THAT(there.out, HasSubstr("Let changes be made again: dunlin read-only off."));
    EXPECT_EQ(run("read-only off").status, 0);
    auto back = run("migrate-to sqlite:" + other + " --database '" + database.url() + "'");
    EXPECT_EQ(back.status, 0) << back.err;
    EXPECT_EQ(run("dump - --data " + other).out, run("dump -").out);
}

}  // namespace

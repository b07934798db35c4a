// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/serving.hpp"

#include "db/open.hpp"

namespace {

using testing::HasSubstr, testing::Not;

struct Upgrade : server_test::Serve {
    // As it was before the migration that makes certificates.
    void go_back() const {
        db::Options options;
        options.sqlite_file = data / "dunlin.db";
        auto connection = db::open_connection(options, db::Mode::write);
        for (auto table : {"orders", "challenges", "certificates", "accounts", "tries", "lease"})
            connection->script("DROP TABLE IF EXISTS acme_" + std::string(table));
        connection->script("DELETE FROM schema_migrations WHERE name = '0120_acme'");
    }
};

TEST_F(Upgrade, is_told_beforehand_and_changes_nothing_then) {
    ASSERT_EQ(run("migrate").status, 0);
    go_back();
    for (int times = 0; times < 2; ++times) {
        const auto told = run("migrate --dry-run");
        EXPECT_EQ(told.status, 0) << told.err;
        EXPECT_THAT(told.out, HasSubstr("would apply 0120_acme\n"));
        EXPECT_THAT(told.out, HasSubstr("Nothing was changed."));
    }
    EXPECT_THAT(run("migrate").out, HasSubstr("applied 0120_acme"));
    EXPECT_EQ(run("migrate --dry-run").out, "The database is up to date.\n");
}

TEST_F(Upgrade, says_whether_it_is_done_and_what_is_built_beside_the_server) {
    ASSERT_EQ(run("migrate").status, 0);
    EXPECT_EQ(
        run("migrate --status").out, "The database is up to date.\nNothing is built beside the server.\n"
    );
    {
        db::Options options;
        options.sqlite_file = data / "dunlin.db";
        db::open_connection(options, db::Mode::write)
            ->script(
                "INSERT INTO jobs (id, kind, payload, run_at, created_at, attempts, error) VALUES (1, "
                "'recount', "
                "'{\"after\":\"0\"}', 0, 0, 1, 'why')"
            );
    }
    EXPECT_THAT(
        run("migrate --status").out,
        HasSubstr(
            "counts of answers and quotes: about 0 % done; the last chunk failed and is tried again (why)\n"
        )
    );
    EXPECT_THAT(
        run("migrate --status --json").out, HasSubstr("\"missing\":[],\"builds\":[{\"name\":\"recount\"")
    );
    go_back();
    EXPECT_THAT(run("migrate --status").out, HasSubstr("1 step is missing, 0120_acme;"));
}

TEST_F(Upgrade, is_not_told_of_a_database_that_is_not_there) {
    const auto told = run("migrate --dry-run");
    EXPECT_EQ(told.status, 1);
    EXPECT_FALSE(std::filesystem::exists(data / "dunlin.db"));
}

TEST_F(Upgrade, by_any_command_keeps_the_database_as_it_was) {
    EXPECT_EQ(run("migrate").status, 0);
    go_back();
    const auto listed = run("account list --json");
    EXPECT_EQ(listed.status, 0) << listed.err;
    EXPECT_EQ(listed.out.find("before"), std::string::npos) << "a script reads it";
    EXPECT_EQ(mode_of(data / "before-0120.db"), 0600u);
}

TEST_F(Upgrade, keeps_the_database_as_it_was) {
    start();
    EXPECT_THAT(contents(folder / "err"), Not(HasSubstr("before the upgrade"))) << "there was nothing before";
    EXPECT_EQ(stop(SIGTERM), 0);
    go_back();
    address.clear();
    start();
    EXPECT_THAT(contents(folder / "err"), HasSubstr("before-0120.db"));
    EXPECT_EQ(mode_of(data / "before-0120.db"), 0600u);
    EXPECT_EQ(stop(SIGTERM), 0);
    db::Options options;
    options.sqlite_file = data / "dunlin.db";
    db::open_connection(options, db::Mode::write)
        ->script("INSERT INTO schema_migrations (name, applied_at) VALUES ('9999_of_tomorrow', 1)");
    const auto refused = run("serve --listen 127.0.0.1:0 --public-url http://dunlin.example");
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.err, HasSubstr("before-0120.db is the database as it was then"));
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "support/database.hpp"

#include <atomic>
#include <thread>

namespace {

using Names = std::vector<std::string>;

const db::Query<std::string> things{"test_things", "SELECT name FROM things ORDER BY id"};
const db::Query<std::string> table_text{
    "test_table_text", "SELECT sql FROM sqlite_schema WHERE name = $1", "SELECT $1::text"
};

constexpr db::MigrationFile plain{
    "0001_things.sql", "CREATE TABLE things (id BIGINT PRIMARY KEY, name TEXT NOT NULL, bytes BYTEA);"
};
constexpr db::MigrationFile second{"0002_more.sql", "ALTER TABLE things ADD COLUMN more TEXT; SELECT 1;"};

struct Migrations : support::OnEachDatabase {
    std::unique_ptr<db::Connection> connection = database.connection();

    std::vector<db::Migration> from(std::vector<db::MigrationFile> files) const {
        return db::migrations_from(files, database.is_postgres());
    }
    Names apply(std::vector<db::MigrationFile> files) {
        return db::migrate(*connection, {1000}, from(std::move(files)));
    }
    Names found() {
        return db::read_now(*connection, database.options.context, [](db::Read& db) {
            return db.all(things);
        });
    }
};
ON_EACH_DATABASE(Migrations);

TEST_P(Migrations, run_in_order_once) {
    EXPECT_EQ(apply({second, plain}), (Names{"0001_things", "0002_more"}));
    EXPECT_EQ(apply({plain, second}), Names{});
    EXPECT_EQ(
        apply({plain, second, {"0010_last.sql", "INSERT INTO things (id, name) VALUES (1, 'x')"}}),
        Names{"0010_last"}
    );
    EXPECT_EQ(found(), Names{"x"});
}

TEST_P(Migrations, are_known_before_they_run) {
    apply({plain});
    EXPECT_EQ(db::pending_migrations(*connection, from({plain, second})), Names{"0002_more"});
}

TEST_P(Migrations, have_parts_for_one_engine_after_the_common_part) {
    apply({
        {"0001_things.sqlite.sql", "INSERT INTO things VALUES (1, 'sqlite')"},
        {"0001_things.postgres.sql", "INSERT INTO things VALUES (1, 'postgres')"},
        {"0001_things.sql", "CREATE TABLE things (id BIGINT PRIMARY KEY, name TEXT NOT NULL);"},
        {"0002_only.postgres.sql", "INSERT INTO things VALUES (2, 'only postgres')"},
    });
    EXPECT_EQ(found(), database.is_postgres() ? (Names{"postgres", "only postgres"}) : Names{"sqlite"});
    EXPECT_EQ(db::pending_migrations(*connection, from({plain, {"0002_only.postgres.sql", ""}})), Names{});
}

TEST_P(Migrations, adapt_comments_and_types) {
    apply(
        {{"0001_things.sql",
          "CREATE TABLE things (id BIGINT PRIMARY KEY, name TEXT NOT NULL, b BYTEA) /*sqlite: WITHOUT "
          "ROWID*/;\n"
          "/*postgres: INSERT INTO things VALUES (1, 'postgres', NULL);*/"
          "/*sqlite: INSERT INTO things VALUES (1, 'sqlite', NULL);*/"}}
    );
    EXPECT_EQ(found(), Names{database.is_postgres() ? "postgres" : "sqlite"});
    if (database.is_postgres()) return;
    const auto text = db::read_now(*connection, database.options.context, [](db::Read& db) {
        return db.one(table_text, "things");
    });
    EXPECT_NE(text.find("id INTEGER PRIMARY KEY"), text.npos);
    EXPECT_NE(text.find("b BLOB"), text.npos);
    EXPECT_NE(text.find("WITHOUT ROWID"), text.npos);
}

TEST_P(Migrations, of_a_newer_program_are_refused) {
    apply({plain, {"0002_future.sql", "SELECT 1"}});
    try {
        apply({plain});
        FAIL();
    } catch (const db::MigrationError& e) {
        EXPECT_NE(std::string(e.what()).find("0002_future"), std::string::npos) << e.what();
    }
    EXPECT_THROW(db::pending_migrations(*connection, from({plain})), db::MigrationError);
}

TEST_P(Migrations, that_fail_leave_nothing_and_name_themselves) {
    try {
        apply({plain, {"0002_bad.sql", "INSERT INTO things (id, name) VALUES (1, 'x'); SELECT nonsense;"}});
        FAIL();
    } catch (const db::MigrationError& e) {
        EXPECT_NE(std::string(e.what()).find("0002_bad"), std::string::npos) << e.what();
    }
    EXPECT_EQ(found(), Names{});
    EXPECT_EQ(apply({plain, second}), Names{"0002_more"});
}

TEST_P(Migrations, may_rebuild_a_table_that_others_refer_to) {
    apply(
        {plain,
         {"0002_parts.sql",
          "CREATE TABLE parts (thing_id BIGINT NOT NULL REFERENCES things ON DELETE CASCADE);"
          "INSERT INTO things (id, name) VALUES (1, 'x');"
          "INSERT INTO parts VALUES (1);"}}
    );
    if (database.is_postgres()) return;
    apply(
        {plain,
         {"0002_parts.sql", ""},
         {"0003_rebuild.sql",
          "CREATE TABLE new_things (id BIGINT PRIMARY KEY, name TEXT);"
          "INSERT INTO new_things SELECT id, name FROM things;"
          "DROP TABLE things; ALTER TABLE new_things RENAME TO things;"}}
    );
    EXPECT_EQ(found(), Names{"x"});
    EXPECT_THROW(
        apply(
            {plain, {"0002_parts.sql", ""}, {"0003_rebuild.sql", ""}, {"0004_bad.sql", "DELETE FROM things;"}}
        ),
        db::MigrationError
    );
    EXPECT_THROW(connection->script("INSERT INTO parts VALUES (99)"), db::Failure);
}

TEST_P(Migrations, may_be_started_by_several_at_once) {
    std::atomic<std::size_t> applied = 0;
    {
        std::vector<std::jthread> nodes;
        for (int i = 0; i < 4; ++i)
            nodes.emplace_back([&] {
                auto own = database.connection();
                applied += db::migrate(*own, {1000}, from({plain, second})).size();
            });
    }
    EXPECT_EQ(applied, 2u);
}

TEST(MigrationFiles, are_numbered_and_unique) {
    auto read = [](std::vector<db::MigrationFile> files) { return db::migrations_from(files, false); };
    EXPECT_THROW(read({{"first.sql", ""}}), db::MigrationError);
    EXPECT_THROW(read({{"0001_first.txt", ""}}), db::MigrationError);
    EXPECT_THROW(read({{"0001_first.mysql.sql", ""}}), db::MigrationError);
    EXPECT_THROW(read({{"0001_a.sql", ""}, {"0001_b.sql", ""}}), db::MigrationError);
    EXPECT_THROW(read({{"0001_a.sql", "/*sqlite: never ends"}}), db::MigrationError);
}

}  // namespace

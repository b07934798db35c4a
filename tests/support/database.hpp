// SPDX-License-Identifier: AGPL-3.0-or-later
// A fresh database for each test, removed afterwards: a temporary SQLite file, and, with DUNLIN_TEST_POSTGRES
// (a URL) in the environment, also a separate database in that PostgreSQL. Migrating takes longer than most
// tests, and so does copying in PostgreSQL: a test of a migrated database gets a copy of a file, or a
// database that was migrated earlier and is emptied when the test ends.
//
//     struct Lists : support::OnEachDatabase {};
//     ON_EACH_DATABASE(Lists);
//     TEST_P(Lists, can_be_emptied) { auto connection = database.connection(); … }
//
// Names of SQL constants in tests begin with "test_", which excludes them from the test that prepares every
// statement.
#pragma once
#include "db/migrate.hpp"
#include "db/open.hpp"
#include "support/postgres_databases.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace support {

enum class Database { sqlite, postgres };

inline std::vector<Database> databases() {
    if (postgres_url()) return {Database::sqlite, Database::postgres};
    return {Database::sqlite};
}

// One per process, in its temporary folder.
const std::filesystem::path& migrated_file();

class TestDatabase {
public:
    // `migrated` only saves time: tests call db::migrate() anyway, which then finds nothing to do.
    explicit TestDatabase(Database kind, bool migrated = false) {
        options.context.site = &site;
        options.context.clock = [this] { return base::Time{clock_ms}; };
        if (kind == Database::postgres) {
            // A separate database, because writers of one database lock each other, whatever their schema.
            postgres_.emplace(migrated);
            options.postgres_url = postgres_->url();
        } else {
            folder_ = std::filesystem::temp_directory_path() / fresh_name();
            std::filesystem::create_directories(folder_);
            options.sqlite_file = folder_ / "test.db";
            if (migrated) std::filesystem::copy_file(migrated_file(), options.sqlite_file);
        }
    }
    ~TestDatabase() {
        std::error_code ignored;
        if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
    }
    TestDatabase(const TestDatabase&) = delete;

    std::unique_ptr<db::Connection> connection(db::Mode mode = db::Mode::write) const {
        return db::open_connection(options, mode);
    }
    bool is_postgres() const { return options.postgres(); }

    base::Site site;
    std::atomic<std::int64_t> clock_ms = 1'767'225'600'000;  // 2026-01-01
    db::Options options;

private:
    std::optional<PostgresDatabase> postgres_;
    std::filesystem::path folder_;
};

class OnEachDatabase : public testing::TestWithParam<Database> {
protected:
    TestDatabase database{GetParam()};
};

class OnEachMigratedDatabase : public testing::TestWithParam<Database> {
protected:
    TestDatabase database{GetParam(), true};
};

inline std::string database_name(const testing::TestParamInfo<Database>& info) {
    return info.param == Database::postgres ? "postgres" : "sqlite";
}

}  // namespace support

#define ON_EACH_DATABASE(Fixture) \
    INSTANTIATE_TEST_SUITE_P(db, Fixture, testing::ValuesIn(support::databases()), support::database_name)

// SPDX-License-Identifier: AGPL-3.0-or-later
// A fresh database for each test, gone afterwards: a temporary SQLite file, and with DUNLIN_TEST_POSTGRES (a URL)
// in the environment also a schema of its own in that PostgreSQL. Migrating takes PostgreSQL longer than most tests:
// a test of a migrated database gets a copy of one that was migrated before.
//
//     struct Lists : support::OnEachDatabase {};
//     ON_EACH_DATABASE(Lists);
//     TEST_P(Lists, can_be_emptied) { auto connection = database.connection(); … }
//
// Names of SQL constants in tests begin with "test_": the test that prepares every statement leaves them out.
#pragma once
#include "db/migrate.hpp"
#include "db/open.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace support {

enum class Database { sqlite, postgres };

inline const char* postgres_url() { return std::getenv("DUNLIN_TEST_POSTGRES"); }

inline std::vector<Database> databases() {
    if (postgres_url()) return {Database::sqlite, Database::postgres};
    return {Database::sqlite};
}

class TestDatabase {
public:
    // `migrated` saves time only: db::migrate() is called all the same, and finds nothing to do or does it.
    explicit TestDatabase(Database kind, bool migrated = false) : name_(fresh_name()) {
        options.context.site = &site;
        options.context.clock = [this] { return base::Time{clock_ms}; };
        if (kind == Database::postgres) {
            // One of its own: those that write to a database lock each other, whatever their schema.
            server_ = open(postgres_url());
            if (migrated) {
                static const Migrated migrated_before;
                server_->script("CREATE DATABASE " + name_ + " TEMPLATE " + migrated_before.name);
            } else {
                server_->script("CREATE DATABASE " + name_);
            }
            drop_ = "DROP DATABASE " + name_ + " WITH (FORCE)";
            options.postgres_url = with_parameter("dbname=" + name_);
        } else {
            folder_ = std::filesystem::temp_directory_path() / name_;
            std::filesystem::create_directories(folder_);
            options.sqlite_file = folder_ / "test.db";
        }
    }
    ~TestDatabase() {
        try {
            if (server_) server_->script(drop_);
        } catch (const std::exception& e) {
            ADD_FAILURE() << e.what();
        }
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
    static std::string fresh_name() {
        static std::atomic<int> count = 0;
        return "dunlin_test_" + std::to_string(getpid()) + "_" + std::to_string(++count);
    }
    static std::unique_ptr<db::Connection> open(const std::string& url) {
        db::Options there;
        there.postgres_url = url;
        return db::open_connection(there, db::Mode::write);
    }
    static std::string with_parameter(const std::string& parameter) {
        const std::string url = postgres_url();
        return url + (url.find('?') != url.npos ? "&" : "?") + parameter;
    }
    // Nothing is ever written to it again. Each process makes its own, once.
    struct Migrated {
        std::string name = fresh_name();

        Migrated() {
            open(postgres_url())->script("CREATE DATABASE " + name);
            db::migrate(*open(with_parameter("dbname=" + name)), {1000});
        }
        ~Migrated() {
            try {
                open(postgres_url())->script("DROP DATABASE " + name);
            } catch (const std::exception& e) {
                std::fprintf(stderr, "%s\n", e.what());
            }
        }
    };

    std::string name_, drop_;
    std::unique_ptr<db::Connection> server_;
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

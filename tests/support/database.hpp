// SPDX-License-Identifier: AGPL-3.0-or-later
// A fresh database for each test, gone afterwards: a temporary SQLite file, and with DUNLIN_TEST_POSTGRES (a URL)
// in the environment also a schema of its own in that PostgreSQL.
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
    explicit TestDatabase(Database kind) : name_(fresh_name()) {
        options.context.site = &site;
        options.context.clock = [this] { return base::Time{clock_ms}; };
        if (kind == Database::postgres) {
            server_ = open(postgres_url());
            server_->script("CREATE SCHEMA " + name_);
            const std::string url = postgres_url();
            options.postgres_url = url + (url.find('?') != url.npos ? "&" : "?") +
                                   "options=-csearch_path%3D" + name_ + "%2Cpublic";
        } else {
            folder_ = std::filesystem::temp_directory_path() / name_;
            std::filesystem::create_directories(folder_);
            options.sqlite_file = folder_ / "test.db";
        }
    }
    ~TestDatabase() {
        try {
            if (server_) server_->script("DROP SCHEMA " + name_ + " CASCADE");
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

    std::string name_;
    std::unique_ptr<db::Connection> server_;
    std::filesystem::path folder_;
};

class OnEachDatabase : public testing::TestWithParam<Database> {
protected:
    TestDatabase database{GetParam()};
};

inline std::string database_name(const testing::TestParamInfo<Database>& info) {
    return info.param == Database::postgres ? "postgres" : "sqlite";
}

}  // namespace support

#define ON_EACH_DATABASE(Fixture) \
    INSTANTIATE_TEST_SUITE_P(db, Fixture, testing::ValuesIn(support::databases()), support::database_name)

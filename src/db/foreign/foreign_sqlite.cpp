// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/foreign/foreign.hpp"

#include <sqlite3.h>

#include <filesystem>

namespace db {

namespace {

class ForeignSqlite final : public Foreign {
public:
    explicit ForeignSqlite(const std::string& file) {
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(file, ignored)) throw Unreadable("There is no file " + file);
        const int opened = sqlite3_open_v2(file.c_str(), &db_, SQLITE_OPEN_READONLY, nullptr);
        if (opened != SQLITE_OK) fail();
        sqlite3_busy_timeout(db_, 10'000);
        // A file from elsewhere may be malicious.
        sqlite3_db_config(db_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
        sqlite3_db_config(db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
        // Everything read from here on is as of this moment.
        run("BEGIN", {}, {});
        run("SELECT name FROM sqlite_master LIMIT 1", {}, [](const Row&) {});
    }
    ~ForeignSqlite() override { sqlite3_close_v2(db_); }
    ForeignSqlite(const ForeignSqlite&) = delete;

    bool is_postgres() const override { return false; }

    void run(
        const std::string& sql, const std::vector<std::string>& parameters,
        const std::function<void(const Row&)>& f
    ) override {
        sqlite3_stmt* made = nullptr;
        if (sqlite3_prepare_v2(db_, sql.c_str(), -1, &made, nullptr) != SQLITE_OK) fail();
        const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement(made, sqlite3_finalize);
        for (int at = 1; const auto& p : parameters)
            sqlite3_bind_text(made, at++, p.data(), static_cast<int>(p.size()), SQLITE_TRANSIENT);
        Row row(static_cast<std::size_t>(sqlite3_column_count(made)));
        for (int stepped = sqlite3_step(made); stepped != SQLITE_DONE; stepped = sqlite3_step(made)) {
            if (stepped != SQLITE_ROW) fail();
            for (int at = 0; auto& column : row) {
                const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(made, at));
                const auto size = static_cast<std::size_t>(sqlite3_column_bytes(made, at));
                column = text ? Column({text, size}) : std::nullopt;
                ++at;
            }
            f(row);
        }
    }

private:
    [[noreturn]] void fail() const {
        throw Unreadable("The database of the source cannot be read: " + std::string(sqlite3_errmsg(db_)));
    }

    sqlite3* db_ = nullptr;
};

}  // namespace

std::unique_ptr<Foreign> open_foreign_sqlite(const std::string& file) {
    return std::make_unique<ForeignSqlite>(file);
}

}  // namespace db

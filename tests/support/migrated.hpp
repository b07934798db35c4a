// SPDX-License-Identifier: AGPL-3.0-or-later
// Migrating SQLite takes longer than most tests, so a database migrated once in memory is copied.
#pragma once
#include "support/database.hpp"

#include <sqlite3.h>

namespace support {

struct InMemory {
    std::unique_ptr<db::Connection> connection;
    sqlite3* handle = nullptr;
};

inline thread_local sqlite3* last_opened = nullptr;

inline int remember(sqlite3* opened, char**, const struct sqlite3_api_routines*) {
    last_opened = opened;
    return SQLITE_OK;
}

inline InMemory opened(const TestDatabase& database) {
    const auto entry = reinterpret_cast<void (*)()>(&remember);
    sqlite3_auto_extension(entry);
    auto connection = database.connection();
    sqlite3_cancel_auto_extension(entry);
    return {std::move(connection), last_opened};
}

inline std::unique_ptr<db::Connection> migrated(const TestDatabase& database, base::Time now) {
    if (database.is_postgres()) {
        auto connection = database.connection();
        db::migrate(*connection, now);
        return connection;
    }
    static const InMemory model = [&] {
        auto made = opened(database);
        db::migrate(*made.connection, now);
        return made;
    }();
    auto fresh = opened(database);
    auto copying = sqlite3_backup_init(fresh.handle, "main", model.handle, "main");
    EXPECT_EQ(sqlite3_backup_step(copying, -1), SQLITE_DONE);
    EXPECT_EQ(sqlite3_backup_finish(copying), SQLITE_OK);
    return std::move(fresh.connection);
}

}  // namespace support

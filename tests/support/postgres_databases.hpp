// SPDX-License-Identifier: AGPL-3.0-or-later
// Databases in the PostgreSQL at the URL in DUNLIN_TEST_POSTGRES.
#pragma once
#include <string>

namespace support {

const char* postgres_url();  // null: none is configured

// Used exclusively while it lives. The process empties and reuses it, because PostgreSQL takes longer to copy
// and drop a database than most tests take.
class PostgresDatabase {
public:
    explicit PostgresDatabase(bool migrated);
    ~PostgresDatabase();
    PostgresDatabase(const PostgresDatabase&) = delete;

    std::string url() const;

private:
    std::string name_;
    bool migrated_;
    int uses_ = 0;
};

// A name that is unique across processes.
std::string fresh_name();

}  // namespace support

// SPDX-License-Identifier: AGPL-3.0-or-later
// Databases in the PostgreSQL that DUNLIN_TEST_POSTGRES names by its URL.
#pragma once
#include <string>

namespace support {

const char* postgres_url();  // null: there is none

// Nobody else's while it lives. The process keeps it for who asks next, emptied, since PostgreSQL takes longer to copy and
// drop one than most tests take.
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

// Of things that a test makes: unlike those of every other process.
std::string fresh_name();

}  // namespace support

// SPDX-License-Identifier: AGPL-3.0-or-later
// What is exchanged with libpq: parameters as text, results in binary.
#pragma once
#include "db/connection.hpp"

#include <libpq-fe.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace db {

struct ClearResult {
    void operator()(PGresult* result) const { PQclear(result); }
};
using PostgresResult = std::unique_ptr<PGresult, ClearResult>;

// The arrays that PQsendQueryPrepared takes. Valid until the next fill(); texts and blobs are not copied
// unless they need a terminating NUL.
class PostgresParameters {
public:
    void fill(std::span<const Value>);
    bool same_as(const PostgresParameters&) const;
    int count() const { return static_cast<int>(pointers_.size()); }
    const char* const* values() const { return pointers_.data(); }
    const int* lengths() const { return lengths_.data(); }
    const int* formats() const { return formats_.data(); }

private:
    void add(const char* start, std::size_t length, bool binary);
    std::string& scratch();

    std::vector<const char*> pointers_;
    std::vector<int> lengths_, formats_;
    std::deque<std::string> scratch_;  // keeps its capacity between statements
    std::size_t scratch_used_ = 0;
};

// The rows of a complete binary result. Reading a column as the wrong type throws Failure.
class PostgresRows final : public Rows {
public:
    PostgresRows(const Sql& sql, PostgresResult result)
        : sql_(sql), result_(std::move(result)), count_(PQntuples(result_.get())) {}
    bool next() override { return ++row_ < count_; }
    bool null(int column) const override { return PQgetisnull(result_.get(), row_, column) != 0; }
    std::int64_t integer(int column) const override;
    double real(int column) const override;
    std::string_view text(int column) const override;

private:
    std::string_view bytes(int column) const;
    [[noreturn]] void wrong_type(int column, const char* wanted) const;

    const Sql& sql_;
    PostgresResult result_;
    int row_ = -1;
    int count_;
};

// Throws Failure for a column of a type that PostgresRows cannot read, such as the NUMERIC of sum(BIGINT).
void require_readable(const Sql&, const PGresult*, int column);

bool postgres_succeeded(const PGresult*);

// Throws the exception for a failed result: Duplicate, Retry, Outage, base::Invalid or Failure.
[[noreturn]] void throw_postgres(const char* statement, const PGresult*);

// True for errors that make the connection unusable: the server is shutting down, or lost our prepared
// statements.
bool spoils_connection(const PGresult*);

// A read-only transaction tried to write; or, in one that may write, the primary has become a replica.
bool refuses_writing(const PGresult*);

}  // namespace db

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/foreign/foreign.hpp"

#include <libpq-fe.h>

namespace db {

namespace {

using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

class ForeignPostgres final : public Foreign {
public:
    explicit ForeignPostgres(const std::string& url) : connection_(PQconnectdb(url.c_str())) {
        if (PQstatus(connection_) != CONNECTION_OK) {
            // libpq's message may contain the user name, but never the password.
            std::string why = PQerrorMessage(connection_);
            PQfinish(connection_);
            throw Unreadable("The database of the source cannot be reached: " + why);
        }
        try {
            for (const char* first :
                 {"SET client_encoding = 'UTF8'",
                  "SET TimeZone = 'UTC'",
                  "SET DateStyle = 'ISO'",
                  "SET statement_timeout = 0",
                  "SET idle_in_transaction_session_timeout = 0",
                  // "IN (SELECT …)" beside an OR is hashed only if the table fits into work_mem; otherwise it
                  // is scanned for every row.
                  "SET work_mem = '256MB'",
                  "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
                  "SELECT 1"})
                run(first, {}, [](const Row&) {});
        } catch (...) {
            PQfinish(connection_);
            throw;
        }
    }
    ~ForeignPostgres() override { PQfinish(connection_); }
    ForeignPostgres(const ForeignPostgres&) = delete;

    bool is_postgres() const override { return true; }

    void run(
        const std::string& sql, const std::vector<std::string>& parameters,
        const std::function<void(const Row&)>& f
    ) override {
        std::vector<const char*> values;
        for (const auto& p : parameters) values.push_back(p.c_str());
        const auto n = static_cast<int>(values.size());
        if (PQsendQueryParams(connection_, sql.c_str(), n, nullptr, values.data(), nullptr, nullptr, 0) != 1)
            fail();
        // Row by row, because a table may not fit into memory.
        PQsetSingleRowMode(connection_);
        std::string trouble;
        try {
            while (Result result{PQgetResult(connection_), PQclear}) {
                const auto status = PQresultStatus(result.get());
                if (status == PGRES_SINGLE_TUPLE) hand(result.get(), f);
                else if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
                    trouble = PQresultErrorMessage(result.get());
            }
        } catch (...) {
            while (Result rest{PQgetResult(connection_), PQclear}) {}
            throw;
        }
        if (!trouble.empty()) throw Unreadable("The database of the source cannot be read: " + trouble);
    }

private:
    static void hand(const PGresult* result, const std::function<void(const Row&)>& f) {
        Row row(static_cast<std::size_t>(PQnfields(result)));
        for (int at = 0; auto& column : row) {
            if (PQgetisnull(result, 0, at) == 0)
                column.emplace(
                    PQgetvalue(result, 0, at), static_cast<std::size_t>(PQgetlength(result, 0, at))
                );
            ++at;
        }
        f(row);
    }
    [[noreturn]] void fail() const {
        throw Unreadable(
            "The database of the source cannot be read: " + std::string(PQerrorMessage(connection_))
        );
    }

    PGconn* connection_;
};

}  // namespace

std::unique_ptr<Foreign> open_foreign_postgres(const std::string& url) {
    return std::make_unique<ForeignPostgres>(url);
}

}  // namespace db

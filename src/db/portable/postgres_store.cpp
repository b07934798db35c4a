// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/portable/row_text.hpp"
#include "db/portable/store.hpp"
#include "db/postgres/address.hpp"
#include "db/postgres_connection.hpp"

#include <algorithm>

namespace db::portable {

namespace {

// For long work in one transaction that nobody waits for.
constexpr const char* settings =
    "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '30s';"
    "SET client_connection_check_interval = '2s'; SET bytea_output = 'hex'; SET extra_float_digits = 1";

class PostgresStore final : public Store {
public:
    explicit PostgresStore(const std::string& url)
        : connection_(PostgresAddress(url).connect(std::chrono::seconds(10), [] {})) {
        PQsetNoticeProcessor(connection_.get(), [](void*, const char*) {}, nullptr);
        run(settings);
    }

    bool is_postgres() const override { return true; }
    void run(const std::string& statements) override { done(PQexec(connection_.get(), statements.c_str())); }

    std::vector<std::vector<std::string>> ask(const std::string& question) override {
        const auto result = done(PQexec(connection_.get(), question.c_str()));
        std::vector<std::vector<std::string>> rows;
        for (int row = 0; row < PQntuples(result.get()); ++row) {
            auto& fields = rows.emplace_back();
            for (int i = 0; i < PQnfields(result.get()); ++i)
                fields.emplace_back(PQgetvalue(result.get(), row, i));
        }
        return rows;
    }

    void read(const std::string& question, const std::vector<Column>& columns, const Take& take) override {
        done(PQexec(connection_.get(), ("COPY (" + question + ") TO STDOUT").c_str()), PGRES_COPY_OUT);
        const bool has_reals = std::ranges::count(columns, Type::real, &Column::type) > 0;
        std::string row;
        for (;;) {
            char* line = nullptr;
            const int size = PQgetCopyData(connection_.get(), &line, 0);
            if (size < 0) break;
            const std::unique_ptr<char, decltype(&PQfreemem)> owned(line, PQfreemem);
            const std::string_view text(line, static_cast<std::size_t>(size));
            if (has_reals) take(with_our_reals(text, columns, row));
            else take(text);
        }
        end_copy();
    }

    void begin_rows(const std::string& table, const std::vector<Column>& columns) override {
        const auto copy = "COPY " + table + " (" + listed(names_of(columns)) + ") FROM STDIN";
        done(PQexec(connection_.get(), copy.c_str()), PGRES_COPY_IN);
    }
    void add_row(std::string_view row) override {
        if (PQputCopyData(connection_.get(), row.data(), static_cast<int>(row.size())) != 1)
            throw Outage(message());
    }
    void end_rows() override {
        if (PQputCopyEnd(connection_.get(), nullptr) != 1) throw Outage(message());
        end_copy();
    }

    void roll_back() noexcept override {
        if (PQtransactionStatus(connection_.get()) != PQTRANS_IDLE)
            PQclear(PQexec(connection_.get(), "ROLLBACK"));
    }
    void look_anew() override {
        if (PQtransactionStatus(connection_.get()) != PQTRANS_IDLE) run("COMMIT");
        run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1 FROM schema_migrations LIMIT 1");
    }

private:
    std::string message() const {
        std::string text = connection_ ? PQerrorMessage(connection_.get()) : "out of memory";
        while (text.ends_with('\n')) text.pop_back();
        return text;
    }

    PostgresResult done(PGresult* answered, ExecStatusType wanted = PGRES_TUPLES_OK) const {
        PostgresResult result(answered);
        const auto status = PQresultStatus(result.get());
        const bool fine = status == wanted || (wanted == PGRES_TUPLES_OK && status == PGRES_COMMAND_OK);
        if (!fine) throw_postgres("copying", result.get());
        return result;
    }

    void end_copy() const {
        while (PGresult* result = PQgetResult(connection_.get())) done(result);
    }

    // PostgreSQL prints the same numbers with other digits.
    static std::string_view with_our_reals(
        std::string_view line, const std::vector<Column>& columns, std::string& row
    ) {
        row.clear();
        Fields fields(line);
        std::string_view field;
        for (std::size_t i = 0; fields.next(field); ++i) {
            if (i > 0) row += '\t';
            if (columns.at(i).type == Type::real && !is_null(field)) append_real(row, read_real(field));
            else row += field;
        }
        row += '\n';
        return row;
    }

    PostgresHandle connection_;
};

}  // namespace

std::unique_ptr<Store> open_postgres_store(const std::string& url) {
    return std::make_unique<PostgresStore>(url);
}

}  // namespace db::portable

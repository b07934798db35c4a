// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/utf8.hpp"
#include "db/portable/row_text.hpp"
#include "db/portable/store.hpp"
#include "db/sqlite_connection.hpp"

namespace db::portable {

namespace {

std::string_view bytes_of(sqlite3_stmt* row, int column) {
    const auto start = static_cast<const char*>(sqlite3_column_blob(row, column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(row, column));
    return start ? std::string_view(start, size) : std::string_view();
}

class SqliteStore final : public Store {
public:
    SqliteStore(const Options& options, Mode mode) : connection_(options.sqlite_file.string(), mode) {
        if (options.keep_log) connection_.keep_log();
        // A busy server may start its next change while this connection waits; a copy that takes minutes can
        // afford to.
        connection_.wait_when_busy(std::chrono::minutes(1));
    }

    bool is_postgres() const override { return false; }
    void run(const std::string& statements) override { connection_.script(statements); }

    std::vector<std::vector<std::string>> ask(const std::string& question) override {
        SqliteStatement statement(connection_.handle(), "copying", question.c_str());
        std::vector<std::vector<std::string>> rows;
        while (statement.step()) {
            auto& row = rows.emplace_back();
            for (int i = 0; i < sqlite3_column_count(statement.handle()); ++i)
                row.emplace_back(bytes_of(statement.handle(), i));
        }
        return rows;
    }

    void read(const std::string& question, const std::vector<Column>& columns, const Take& take) override {
        SqliteStatement statement(connection_.handle(), "copying", question.c_str());
        std::string row;
        while (statement.step()) {
            row.clear();
            for (std::size_t i = 0; i < columns.size(); ++i) {
                if (i > 0) row += '\t';
                append(row, statement.handle(), static_cast<int>(i), columns[i]);
            }
            row += '\n';
            take(row);
        }
    }

    void begin_rows(const std::string& table, const std::vector<Column>& columns) override {
        std::string places;
        for (std::size_t i = 1; i <= columns.size(); ++i)
            places += (places.empty() ? "$" : ", $") + std::to_string(i);
        insert_text_ =
            "INSERT INTO " + table + " (" + listed(names_of(columns)) + ") VALUES (" + places + ")";
        insert_.emplace(connection_.handle(), "copying", insert_text_.c_str());
        columns_ = columns;
        texts_.assign(columns.size(), {});
        values_.assign(columns.size(), {});
    }

    void add_row(std::string_view row) override {
        Fields fields(row);
        std::string_view field;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (!fields.next(field)) throw Failure("a row has fewer fields than there are columns");
            values_[i] = value(i, field);
        }
        if (fields.next(field)) throw Failure("a row has more fields than there are columns");
        insert_->bind(values_, false);
        insert_->run();
    }
    void end_rows() override { insert_.reset(); }

    void roll_back() noexcept override { connection_.rollback(); }
    void look_anew() override {
        if (connection_.in_transaction()) connection_.commit();
        connection_.begin(Mode::read);
        ask("SELECT count(*) FROM schema_migrations");  // the snapshot begins with the first read
    }

private:
    static void append(std::string& row, sqlite3_stmt* from, int i, const Column& column) {
        if (sqlite3_column_type(from, i) == SQLITE_NULL) return append_null(row);
        switch (column.type) {
            case Type::bigint: row += std::to_string(sqlite3_column_int64(from, i)); break;
            case Type::boolean: row += sqlite3_column_int64(from, i) != 0 ? 't' : 'f'; break;
            case Type::real: append_real(row, sqlite3_column_double(from, i)); break;
            case Type::bytea: append_bytes(row, bytes_of(from, i)); break;
            case Type::text: {
                const auto text = bytes_of(from, i);
                if (text.find('\0') != text.npos || !base::text::valid_utf8(text))
                    throw Failure(
                        "the column " + column.name + " of the row that begins \"" + row.substr(0, 80) +
                        "\" is no text that PostgreSQL could keep (bytes that are not UTF-8)"
                    );
                append_text(row, text);
            }
        }
    }

    Value value(std::size_t i, std::string_view field) {
        if (is_null(field)) return {};
        switch (columns_[i].type) {
            case Type::bigint: return read_integer(field);
            case Type::boolean: return read_truth(field);
            case Type::real: return read_real(field);
            case Type::bytea: read_bytes(field, texts_[i]); return Blob{texts_[i]};
            case Type::text: break;
        }
        read_text(field, texts_[i]);
        return std::string_view(texts_[i]);
    }

    SqliteConnection connection_;
    std::string insert_text_;
    std::optional<SqliteStatement> insert_;
    std::vector<Column> columns_;
    std::vector<std::string> texts_;  // what values_ refer to
    std::vector<Value> values_;
};

}  // namespace

std::unique_ptr<Store> open_sqlite_store(const Options& options, Mode mode) {
    return std::make_unique<SqliteStore>(options, mode);
}

}  // namespace db::portable

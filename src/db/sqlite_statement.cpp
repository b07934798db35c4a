// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/sqlite_statement.hpp"

#include "base/deadline.hpp"
#include "db/damaged.hpp"
#include "db/literals.hpp"

#include <charconv>

namespace db {

void throw_sqlite(sqlite3* db, const char* statement) {
    const int code = sqlite3_extended_errcode(db);
    const std::string text = std::string(statement) + ": " + sqlite3_errmsg(db);
    switch (code) {
        case SQLITE_CONSTRAINT_UNIQUE:
        case SQLITE_CONSTRAINT_PRIMARYKEY:
        case SQLITE_CONSTRAINT_ROWID: throw Duplicate(text);
    }
    switch (code & 0xff) {
        case SQLITE_INTERRUPT: throw base::TimedOut();
        case SQLITE_BUSY:
        case SQLITE_FULL: throw Outage(text);
        case SQLITE_NOTADB:
        case SQLITE_CORRUPT: throw Damaged(text);
    }
    throw Failure(text + " (" + std::to_string(code) + ")");
}

SqliteStatement::SqliteStatement(sqlite3* db, const char* name, const char* text)
    : db_(db), name_(name), exact_(true) {
    if (!text) throw Failure(std::string(name) + ": has no text for SQLite");
    const char* rest = nullptr;
    if (sqlite3_prepare_v3(db, text, -1, SQLITE_PREPARE_PERSISTENT, &handle_, &rest) != SQLITE_OK)
        throw_sqlite(db, name);
    find_parameters();
}

SqliteStatement::SqliteStatement(sqlite3* db, const Sql& sql) : SqliteStatement(db, sql.name, sql.sqlite) {
    exact_ = sql.sqlite == sql.postgres;
}

void SqliteStatement::find_parameters() {
    const int count = sqlite3_bind_parameter_count(handle_);
    for (int index = 1; index <= count; ++index) {
        const char* written = sqlite3_bind_parameter_name(handle_, index);
        const std::string_view parameter = written ? written : "?";
        unsigned number = 0;
        const auto end = parameter.data() + parameter.size();
        if (!parameter.starts_with('$') || std::from_chars(parameter.data() + 1, end, number).ptr != end ||
            !number)
            throw Failure(
                std::string(name_) + ": parameters are written $1, $2 …, not " + std::string(parameter)
            );
        value_of_.push_back(number - 1);
        values_ = std::max<std::size_t>(values_, number);
    }
}

void SqliteStatement::bind(std::span<const Value> values, bool copy) {
    if (values.size() < values_ || (exact_ && values.size() > values_))
        throw Failure(
            std::string(name_) + ": has " + std::to_string(values_) + " parameters and was given " +
            std::to_string(values.size())
        );
    for (std::size_t i = 0; i < value_of_.size(); ++i) {
        const int code = bind_one(static_cast<int>(i) + 1, values[value_of_[i]], copy);
        if (code != SQLITE_OK) throw_sqlite(db_, name_);
    }
}

int SqliteStatement::bind_one(int index, const Value& value, bool copy) {
    const auto lifetime = copy ? SQLITE_TRANSIENT : SQLITE_STATIC;
    if (const auto v = std::get_if<std::int64_t>(&value)) return sqlite3_bind_int64(handle_, index, *v);
    if (const auto v = std::get_if<std::string_view>(&value)) {
        refuse_nul(*v);
        const char* start = v->data() ? v->data() : "";  // an empty view is an empty text, not NULL
        return sqlite3_bind_text64(handle_, index, start, v->size(), lifetime, SQLITE_UTF8);
    }
    if (const auto v = std::get_if<bool>(&value)) return sqlite3_bind_int(handle_, index, *v ? 1 : 0);
    if (const auto v = std::get_if<double>(&value)) return sqlite3_bind_double(handle_, index, *v);
    if (const auto v = std::get_if<Blob>(&value)) {
        if (v->bytes.empty()) return sqlite3_bind_zeroblob(handle_, index, 0);
        return sqlite3_bind_blob64(handle_, index, v->bytes.data(), v->bytes.size(), lifetime);
    }
    if (std::holds_alternative<std::monostate>(value)) return sqlite3_bind_null(handle_, index);
    return bind_list(index, value);
}

int SqliteStatement::bind_list(int index, const Value& value) {
    lists_.resize(value_of_.size());
    auto& json = lists_[static_cast<std::size_t>(index) - 1];
    json.clear();
    if (const auto ids = std::get_if<IdList>(&value)) append_json(json, *ids);
    else append_json(json, std::get<TextList>(value));
    return sqlite3_bind_text64(handle_, index, json.data(), json.size(), SQLITE_STATIC, SQLITE_UTF8);
}

bool SqliteStatement::step() {
    const int code = sqlite3_step(handle_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    throw_sqlite(db_, name_);
}

void SqliteStatement::run() {
    struct Reset {
        SqliteStatement& statement;
        ~Reset() { statement.reset(); }
    } reset{*this};
    while (step()) {}
}

}  // namespace db

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/sqlite_statement.hpp"

#include "base/deadline.hpp"
#include "db/connection.hpp"
#include "db/write_gate.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <new>

namespace db {

namespace {

// An exhausted quota counts as well.
bool is_full(int error) { return error == ENOSPC || error == EDQUOT; }

}  // namespace

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
        case SQLITE_BUSY: throw Outage(text);
        case SQLITE_FULL: throw DiskFull(text);
        case SQLITE_IOERR:
            if (is_full(sqlite3_system_errno(db))) throw DiskFull(text);
            break;
        case SQLITE_NOTADB:
        case SQLITE_CORRUPT: throw Damaged(text);
    }
    throw Failure(text + " (" + std::to_string(code) + ")");
}

namespace {

constexpr const char* pointer_type = "list";
constexpr const char* table_of_lists = "CREATE TABLE list (value, place, bound HIDDEN)";
enum ListColumn { value, place, bound };

struct Cursor : sqlite3_vtab_cursor {
    const SqliteList* list = nullptr;
    std::size_t at = 0;

    std::size_t size() const { return list->ids.size() + list->texts.size(); }
};

Cursor& cursor(sqlite3_vtab_cursor* one) { return *static_cast<Cursor*>(one); }

int make_table(sqlite3* db, void*, int, const char* const*, sqlite3_vtab** out, char**) {
    const int code = sqlite3_declare_vtab(db, table_of_lists);
    if (code != SQLITE_OK) return code;
    *out = new (std::nothrow) sqlite3_vtab{};
    return *out ? SQLITE_OK : SQLITE_NOMEM;
}

int drop_table(sqlite3_vtab* table) {
    delete table;
    return SQLITE_OK;
}

// The list is always scanned as a whole, and needs its argument; the cost is the same as json_each declares.
int best_index(sqlite3_vtab*, sqlite3_index_info* info) {
    for (int i = 0; i < info->nConstraint; ++i) {
        const auto& one = info->aConstraint[i];
        if (one.iColumn != bound || one.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
        if (!one.usable) return SQLITE_CONSTRAINT;
        info->aConstraintUsage[i].argvIndex = 1;
        info->aConstraintUsage[i].omit = 1;
        info->estimatedCost = 1;
        return SQLITE_OK;
    }
    return SQLITE_CONSTRAINT;
}

int open_cursor(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
    *out = new (std::nothrow) Cursor;
    return *out ? SQLITE_OK : SQLITE_NOMEM;
}

int close_cursor(sqlite3_vtab_cursor* one) {
    delete &cursor(one);
    return SQLITE_OK;
}

int begin_walk(sqlite3_vtab_cursor* one, int, const char*, int, sqlite3_value** given) {
    cursor(one).list = static_cast<const SqliteList*>(sqlite3_value_pointer(given[0], pointer_type));
    cursor(one).at = 0;
    if (cursor(one).list) return SQLITE_OK;
    one->pVtab->zErrMsg = sqlite3_mprintf("list() was given something else than a list");
    return SQLITE_ERROR;
}

int step_on(sqlite3_vtab_cursor* one) {
    ++cursor(one).at;
    return SQLITE_OK;
}

int at_end(sqlite3_vtab_cursor* one) { return cursor(one).at >= cursor(one).size(); }

int read_entry(sqlite3_vtab_cursor* one, sqlite3_context* out, int which) {
    const auto* list = cursor(one).list;
    const auto at = cursor(one).at;
    if (which == place) sqlite3_result_int64(out, static_cast<sqlite3_int64>(at));
    if (which != value) return SQLITE_OK;
    if (!list->ids.empty()) sqlite3_result_int64(out, list->ids[at]);
    else
        sqlite3_result_text64(
            out, list->texts[at].data(), list->texts[at].size(), SQLITE_STATIC, SQLITE_UTF8
        );
    return SQLITE_OK;
}

int place_of_entry(sqlite3_vtab_cursor* one, sqlite3_int64* out) {
    *out = static_cast<sqlite3_int64>(cursor(one).at);
    return SQLITE_OK;
}

constexpr sqlite3_module module_of_lists() {
    sqlite3_module module{};
    module.xConnect = make_table;  // without xCreate: the table exists without being created
    module.xDisconnect = drop_table;
    module.xBestIndex = best_index;
    module.xOpen = open_cursor;
    module.xClose = close_cursor;
    module.xFilter = begin_walk;
    module.xNext = step_on;
    module.xEof = at_end;
    module.xColumn = read_entry;
    module.xRowid = place_of_entry;
    return module;
}
constexpr sqlite3_module lists = module_of_lists();

}  // namespace

void add_lists(sqlite3* db) { sqlite3_create_module(db, "list", &lists, nullptr); }

SqliteStatement::SqliteStatement(sqlite3* db, const char* name, const char* text)
    : db_(db), name_(name), exact_(true) {
    if (!text) throw Failure(std::string(name) + ": has no text for SQLite");
    const char* rest = nullptr;
    if (sqlite3_prepare_v3(db, text, -1, SQLITE_PREPARE_PERSISTENT, &handle_, &rest) != SQLITE_OK)
        throw_sqlite(db, name);
    find_parameters(text);
}

SqliteStatement::SqliteStatement(sqlite3* db, const Sql& sql) : SqliteStatement(db, sql.name, sql.sqlite) {
    exact_ = sql.sqlite == sql.postgres;
}

void SqliteStatement::find_parameters(std::string_view text) {
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
        as_table_.push_back(text.find("list(" + std::string(parameter) + ")") != text.npos);
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
        const char* start = v->data() ? v->data() : "";  // an empty view is bound as an empty text, not NULL
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
    const auto place = static_cast<std::size_t>(index) - 1;
    const auto ids = std::get_if<IdList>(&value);
    if (as_table_[place]) {
        lists_.resize(value_of_.size());
        auto& list = lists_[place];
        list = {};
        if (ids) {
            list.ids.assign(ids->ids.begin(), ids->ids.end());
        } else {
            const auto texts = std::get<TextList>(value).texts;
            std::ranges::for_each(texts, [](const auto& text) { refuse_nul(text); });
            list.texts.assign(texts.begin(), texts.end());
        }
        return sqlite3_bind_pointer(handle_, index, &list, pointer_type, nullptr);
    }
    texts_.resize(value_of_.size());
    auto& json = texts_[place];
    json.clear();
    if (ids) append_json(json, *ids);
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

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/sqlite_connection.hpp"

#include "base/deadline.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <mutex>

namespace db {

namespace {

using Clock = std::chrono::steady_clock;

// Rounds allocations up to jemalloc's size classes, four per power of two: the lists of FTS5 grow by 32 bytes
// at a time and would be moved each time. SQLite adds eight bytes before each allocation.
int roomy(int bytes) {
    constexpr unsigned own = 8, least = 128;
    const auto whole = static_cast<unsigned>(bytes) + own;
    const auto step = std::bit_floor(std::max(whole, least)) / 4;
    const auto room = (whole + step - 1) / step * step - own;
    return room <= unsigned{std::numeric_limits<int>::max()} ? static_cast<int>(room) : bytes;
}

// Otherwise SQLite counts its memory under one lock for all threads.
void configure_library() {
    static std::once_flag once;
    std::call_once(once, [] {
        sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
        sqlite3_mem_methods memory{};
        sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory);
        memory.xRoundup = roomy;
        sqlite3_config(SQLITE_CONFIG_MALLOC, &memory);
    });
}

// Double-quoted words are always names, never texts; a reader cannot write, whatever it is asked to run.
constexpr const char* common_pragmas = R"(
    PRAGMA foreign_keys = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -8000;
)";

constexpr const char* file_pragmas = "PRAGMA wal_autocheckpoint = 0";

// Readers share the mapped pages; the writer would have to copy those that it changes.
constexpr const char* reader_pragmas = R"(
    PRAGMA mmap_size = 67108864;
    PRAGMA query_only = ON;
)";

constexpr const char* writer_pragmas = R"(
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
)";

// Ends a statement whose deadline has passed. 4000 steps of SQLite's virtual machine take some tens of
// microseconds; most statements need fewer.
void heed_deadlines(sqlite3* db) {
    constexpr int steps = 4000;
    sqlite3_progress_handler(db, steps, [](void*) { return base::Within::over() ? 1 : 0; }, nullptr);
}

// Disables one optimization of SQLite that goes wrong here: on an analysed database, each run of a join whose
// outer side has an unknown size, such as a recursive one, fills a Bloom filter from a whole table. The bit
// has been the same since 3.38, which introduced the filter.
void forbid_bloom_filters(sqlite3* db) {
    constexpr unsigned bloom_filter = 0x00080000;
    sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, db, bloom_filter);
}

// A plan is valid for all values. By default SQLite considers the bound values where they might favour
// another index, and prepares such a statement again whenever they change: those inside FTS5 several times
// per search.
void keep_plans(sqlite3* db) { sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_QPSG, 1, nullptr); }

// ANALYZE records the size of FTS5's shadow tables only once. If they were almost empty then, SQLite from
// then on scans them entirely at every merge of the index.
void forget_sizes_of_indexes(sqlite3* db) {
    constexpr const char* told =
        "SELECT 1 FROM sqlite_stat1 WHERE tbl IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')";
    constexpr const char* forget =
        "DELETE FROM sqlite_stat1 WHERE tbl IN (SELECT name FROM pragma_table_list WHERE type = 'shadow');"
        "ANALYZE sqlite_schema";
    if (sqlite3_table_column_metadata(
            db, nullptr, "sqlite_stat1", nullptr, nullptr, nullptr, nullptr, nullptr, nullptr
        ) != SQLITE_OK)
        return;
    if (!SqliteStatement(db, "sizes of indexes", told).step()) return;
    if (sqlite3_exec(db, forget, nullptr, nullptr, nullptr) != SQLITE_OK) throw_sqlite(db, forget);
}

}  // namespace

// A statement is in use until its rows end; the views returned are SQLite's own memory.
class SqliteRows final : public Rows {
public:
    SqliteRows(SqliteConnection& connection, const Sql& sql, std::unique_ptr<SqliteStatement> statement)
        : connection_(connection),
          sql_(sql),
          statement_(std::move(statement)),
          handle_(statement_->handle()),
          begun_(Clock::now()) {}
    ~SqliteRows() override { finish(); }

    bool next() override {
        if (!statement_) return false;
        try {
            if (statement_->step()) return true;
        } catch (...) {
            finish();
            throw;
        }
        finish();
        return false;
    }
    bool null(int column) const override { return sqlite3_column_type(handle_, column) == SQLITE_NULL; }
    std::int64_t integer(int column) const override { return sqlite3_column_int64(handle_, column); }
    double real(int column) const override { return sqlite3_column_double(handle_, column); }
    std::string_view text(int column) const override {
        sqlite3_value* value = sqlite3_column_value(handle_, column);  // one lookup instead of three
        const void* start =
            sqlite3_value_type(value) == SQLITE_BLOB ? sqlite3_value_blob(value) : sqlite3_value_text(value);
        if (!start) return {};
        return {static_cast<const char*>(start), static_cast<std::size_t>(sqlite3_value_bytes(value))};
    }

private:
    void finish() noexcept {
        if (!statement_) return;
        statement_->reset();
        connection_.measure(sql_, begun_);
        connection_.give_back(sql_.number, std::move(statement_));
    }

    SqliteConnection& connection_;
    const Sql& sql_;
    std::unique_ptr<SqliteStatement> statement_;
    sqlite3_stmt* handle_;
    Clock::time_point begun_;
};

struct SqliteConnection::Fixed {
    explicit Fixed(sqlite3* db)
        : begin(db, "begin", "BEGIN"),
          begin_immediate(db, "begin", "BEGIN IMMEDIATE"),
          commit(db, "commit", "COMMIT"),
          rollback(db, "rollback", "ROLLBACK"),
          mark(db, "savepoint", "SAVEPOINT change"),
          undo(db, "undo", "ROLLBACK TO change"),
          release(db, "release", "RELEASE change"),
          version(db, "data_version", "PRAGMA data_version") {}
    SqliteStatement begin, begin_immediate, commit, rollback, mark, undo, release, version;
};

SqliteConnection::SqliteConnection(const std::string& file, Mode mode)
    : in_memory_(file == ":memory:"), writable_(mode == Mode::write || in_memory_) {
    configure_library();
    const int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
                      (writable_ ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY);
    const int code = sqlite3_open_v2(file.c_str(), &db_, flags, nullptr);
    try {
        if (code != SQLITE_OK) throw_sqlite(db_, ("open " + file).c_str());
        configure(mode);
        fixed_ = std::make_unique<Fixed>(db_);
    } catch (...) {
        sqlite3_close_v2(db_);
        throw;
    }
}

// PRAGMA data_version ignores commits of the connection itself, hence only for read-only ones.
std::optional<std::int64_t> SqliteConnection::version() {
    if (writable_ || version_) return version_;
    auto& statement = fixed_->version;
    if (statement.step()) version_ = sqlite3_column_int64(statement.handle(), 0);
    statement.reset();
    return version_;
}

SqliteConnection::~SqliteConnection() {
    idle_.clear();
    fixed_.reset();
    sqlite3_close_v2(db_);
}

void SqliteConnection::configure(Mode mode) {
    wait_when_busy(std::chrono::seconds(10));
    forbid_bloom_filters(db_);
    keep_plans(db_);
    add_lists(db_);
    heed_deadlines(db_);
    sqlite3_db_config(db_, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
    sqlite3_db_config(db_, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
    script(common_pragmas);
    if (in_memory_) return;
    script(file_pragmas);
    script(mode == Mode::write ? writer_pragmas : reader_pragmas);
    if (mode == Mode::write) forget_sizes_of_indexes(db_);
}

void SqliteConnection::wait_when_busy(std::chrono::milliseconds time) {
    sqlite3_busy_timeout(db_, static_cast<int>(time.count()));
}

std::unique_ptr<SqliteStatement> SqliteConnection::take(const Sql& sql) {
    if (sql.number < idle_.size() && !idle_[sql.number].empty()) {
        auto statement = std::move(idle_[sql.number].back());
        idle_[sql.number].pop_back();
        return statement;
    }
    if (sql.number >= idle_.size()) idle_.resize(Sql::count());
    idle_[sql.number].reserve(1);
    return std::make_unique<SqliteStatement>(db_, sql);
}

void SqliteConnection::give_back(unsigned number, std::unique_ptr<SqliteStatement> statement) noexcept {
    idle_[number].push_back(std::move(statement));
}

// Rejects changes in a read transaction even on a connection that may write. "PRAGMA query_only" would do the
// same, but forces every statement to be prepared again.
void SqliteConnection::refuse_change(const SqliteStatement& statement) const {
    if (transaction_ == Mode::read && !sqlite3_stmt_readonly(statement.handle()))
        throw Failure(std::string(statement.name()) + ": changes something in a transaction that reads");
    // After SQLite has rolled back, statements must not continue outside any transaction.
    if (open_ && !in_transaction())
        throw Failure(std::string(statement.name()) + ": its transaction is gone");
}

void SqliteConnection::measure(const Sql& sql, Clock::time_point begun) const {
    const auto time = Clock::now() - begun;
    if (time > slow_statement && observer_.slow)
        observer_.slow(sql.name, std::chrono::duration_cast<std::chrono::microseconds>(time));
}

std::unique_ptr<Rows> SqliteConnection::query(const Sql& sql, std::span<const Value> values) {
    auto statement = take(sql);
    try {
        refuse_change(*statement);
        statement->bind(values, true);
    } catch (...) {
        give_back(sql.number, std::move(statement));
        throw;
    }
    return std::make_unique<SqliteRows>(*this, sql, std::move(statement));
}

void SqliteConnection::prefetch(const Sql& sql, std::span<const Value> values) {
    for (auto rows = query(sql, values); rows->next();) {}
}

std::int64_t SqliteConnection::execute(const Sql& sql, std::span<const Value> values) {
    struct Use {
        SqliteConnection& connection;
        const Sql& sql;
        std::unique_ptr<SqliteStatement> statement;
        Clock::time_point begun = Clock::now();
        ~Use() {
            connection.measure(sql, begun);
            connection.give_back(sql.number, std::move(statement));
        }
    } use{*this, sql, take(sql)};
    refuse_change(*use.statement);
    use.statement->bind(values, false);
    use.statement->run();
    return sqlite3_changes64(db_);
}

void SqliteConnection::script(const std::string& statements) {
    if (sqlite3_exec(db_, statements.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        throw_sqlite(db_, "script");
}

std::vector<std::string> SqliteConnection::columns(const Sql& sql) {
    const SqliteStatement statement(db_, sql);
    std::vector<std::string> names;
    for (int i = 0; i < sqlite3_column_count(statement.handle()); ++i)
        names.emplace_back(sqlite3_column_name(statement.handle(), i));
    return names;
}

void SqliteConnection::begin(Mode mode) {
    version_.reset();
    (mode == Mode::write ? fixed_->begin_immediate : fixed_->begin).run();
    transaction_ = mode;
    open_ = true;
}

void SqliteConnection::commit() {
    fixed_->commit.run();
    open_ = false;
    transaction_ = Mode::write;
}

void SqliteConnection::rollback() noexcept {
    open_ = false;
    transaction_ = Mode::write;
    try {
        if (in_transaction()) fixed_->rollback.run();
    } catch (const std::exception& e) {
        if (observer_.trouble) observer_.trouble(e.what());
    }
}

void SqliteConnection::mark() { fixed_->mark.run(); }

void SqliteConnection::settle() { fixed_->release.run(); }

void SqliteConnection::refuse_dangling() {
    int dangling = 0, highest = 0;
    sqlite3_db_status(db_, SQLITE_DBSTATUS_DEFERRED_FKS, &dangling, &highest, 0);
    if (dangling) throw Failure("a row refers to another that does not exist");
}

void SqliteConnection::undo() {
    fixed_->undo.run();
    fixed_->release.run();
}

SqliteConnection::Log SqliteConnection::checkpoint(Checkpoint kind) {
    constexpr int modes[] = {
        SQLITE_CHECKPOINT_PASSIVE, SQLITE_CHECKPOINT_RESTART, SQLITE_CHECKPOINT_TRUNCATE
    };
    Log log;
    const int code = sqlite3_wal_checkpoint_v2(
        db_, nullptr, modes[static_cast<std::size_t>(kind)], &log.pages, &log.moved
    );
    if (code != SQLITE_OK && code != SQLITE_BUSY) throw_sqlite(db_, "checkpoint");
    return log;
}

void SqliteConnection::wait_for_disk(bool waits) {
    if (in_memory_ || waits_for_disk_ == waits) return;
    script(waits ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    waits_for_disk_ = waits;
}

void SqliteConnection::keep_log() { sqlite3_db_config(db_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr); }

sqlite3_file* SqliteConnection::opened(File which) const {
    sqlite3_file* file = nullptr;
    const int pointer = which == File::log ? SQLITE_FCNTL_JOURNAL_POINTER : SQLITE_FCNTL_FILE_POINTER;
    if (sqlite3_file_control(db_, "main", pointer, &file) != SQLITE_OK || !file || !file->pMethods)
        return nullptr;
    return file;
}

std::uint64_t SqliteConnection::file_size(File which) const {
    auto file = opened(which);
    sqlite3_int64 size = 0;
    if (!file || file->pMethods->xFileSize(file, &size) != SQLITE_OK)
        throw Failure("the size of the database cannot be read");
    return static_cast<std::uint64_t>(size);
}

std::string SqliteConnection::read_file(File which, std::uint64_t offset, std::size_t most) const {
    const auto size = file_size(which);
    std::string bytes(offset < size ? std::min<std::uint64_t>(most, size - offset) : 0, '\0');
    if (bytes.empty()) return bytes;
    auto file = opened(which);
    const int code = file->pMethods->xRead(
        file, bytes.data(), static_cast<int>(bytes.size()), static_cast<sqlite3_int64>(offset)
    );
    if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) throw Failure("the database cannot be read");
    return bytes;
}

// Uses SQLite's own descriptor, because closing another one of the same file would release its locks.
void SqliteConnection::sync(File which) {
    auto file = opened(which);
    if (!file) return;
    if (file->pMethods->xSync(file, SQLITE_SYNC_NORMAL) != SQLITE_OK)
        throw Failure("the database cannot be written to the disk");
}

void SqliteConnection::sync_moved() { sync(File::database); }

void SqliteConnection::sync_log() { sync(File::log); }

}  // namespace db

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/log/database_file.hpp"

#include "base/deadline.hpp"
#include "db/sqlite_connection.hpp"

namespace db {

namespace {

using File = SqliteConnection::File;

// A plain connection, without the settings of SqliteConnection.
class Raw {
public:
    explicit Raw(const std::filesystem::path& path) {
        if (sqlite3_open_v2(path.c_str(), &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE, nullptr) !=
            SQLITE_OK)
            fail("open");
    }
    ~Raw() { sqlite3_close_v2(db_); }
    Raw(const Raw&) = delete;

    std::vector<std::string> lines(const char* statement) {
        std::vector<std::string> all;
        auto add = [](void* out, int columns, char** values, char**) {
            std::string line;
            for (int i = 0; i < columns; ++i)
                line += (i ? " " : "") + std::string(values[i] ? values[i] : "");
            static_cast<std::vector<std::string>*>(out)->push_back(std::move(line));
            return 0;
        };
        if (sqlite3_exec(db_, statement, add, &all, nullptr) != SQLITE_OK) fail(statement);
        return all;
    }
    // Checks `stopped` every few milliseconds. It must outlive this object.
    void look_at(const std::function<bool()>& stopped) {
        stopped_ = &stopped;
        auto ask = [](void* f) { return (*static_cast<const std::function<bool()>*>(f))() ? 1 : 0; };
        constexpr int instructions = 100'000;
        sqlite3_progress_handler(db_, instructions, ask, const_cast<std::function<bool()>*>(&stopped));
    }
    std::uint64_t checkpoint(int mode) {
        int pages = 0, moved = 0;
        if (sqlite3_wal_checkpoint_v2(db_, nullptr, mode, &pages, &moved) != SQLITE_OK) fail("checkpoint");
        return pages < 0 ? 0 : static_cast<std::uint64_t>(pages);
    }

private:
    [[noreturn]] void fail(const char* what) {
        if (stopped_ && (*stopped_)()) throw base::Stopping();
        std::string cause = db_ ? sqlite3_errmsg(db_) : "no memory";
        throw Damaged(std::string(what) + ": " + cause);
    }
    sqlite3* db_ = nullptr;
    const std::function<bool()>* stopped_ = nullptr;
};

}  // namespace

DatabaseFile::DatabaseFile(const std::filesystem::path& path)
    : connection_(std::make_unique<SqliteConnection>(path.string(), Mode::read)) {
    connection_->keep_log();
    pin();  // the first read opens the log
    unpin();
}

DatabaseFile::~DatabaseFile() { unpin(); }

void DatabaseFile::pin() {
    unpin();
    connection_->begin(Mode::read);
    pinned_ = true;
    connection_->script("SELECT 1 FROM sqlite_schema LIMIT 1");
}

void DatabaseFile::unpin() noexcept {
    if (pinned_) connection_->rollback();
    pinned_ = false;
}

std::uint64_t DatabaseFile::size() const { return connection_->file_size(File::database); }
std::uint64_t DatabaseFile::log_size() const { return connection_->file_size(File::log); }

std::string DatabaseFile::read(std::uint64_t offset, std::size_t bytes) const {
    return connection_->read_file(File::database, offset, bytes);
}
std::string DatabaseFile::read_log(std::uint64_t offset, std::size_t bytes) const {
    return connection_->read_file(File::log, offset, bytes);
}

std::uint64_t fold_log(const std::filesystem::path& database) {
    Raw raw(database);
    raw.lines("PRAGMA synchronous = OFF");  // the caller syncs the file once all logs are folded in
    raw.lines("SELECT 1 FROM sqlite_schema LIMIT 1");
    const auto frames = raw.checkpoint(SQLITE_CHECKPOINT_PASSIVE);
    raw.checkpoint(SQLITE_CHECKPOINT_TRUNCATE);
    return frames;
}

std::vector<std::string> lines_of(const std::filesystem::path& database, const char* statement) {
    return Raw(database).lines(statement);
}

std::vector<std::string> faults_in(
    const std::filesystem::path& database, const std::function<bool()>& stopped
) {
    Raw raw(database);
    if (stopped) raw.look_at(stopped);
    auto faults = raw.lines("PRAGMA integrity_check");
    if (faults == std::vector<std::string>{"ok"}) faults.clear();
    for (const auto& row : raw.lines("PRAGMA foreign_key_check"))
        faults.push_back("a row refers to none: " + row);
    return faults;
}

}  // namespace db

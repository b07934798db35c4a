// SPDX-License-Identifier: AGPL-3.0-or-later
// Full copies of a database and of the files beside it, made while others write.
#pragma once
#include "backup/archive.hpp"
#include "db/log/database_file.hpp"
#include "db/log/wal.hpp"

#include <deque>
#include <functional>
#include <future>
#include <unordered_map>
#include <unordered_set>

namespace backup {

// The parts of a server that are backed up.
struct Source {
    fs::path database, media;
    std::vector<fs::path> files;  // settings, where they exist
    Manifest manifest;
};

// Writes the blocks of full copies. A block that exists with the right size is trusted, unless the last
// verification found damage.
class Blocks {
public:
    explicit Blocks(const Archive&);
    ~Blocks();
    void store(const std::string& sha256, std::string_view bytes);
    // Adds the settings files, and waits until the target has synced everything; `between` is called between
    // two steps of that.
    void add_files(const Source&, Base&, const std::function<void()>& between);
    const Archive& archive() const { return archive_; }

private:
    void wait_for_oldest();

    const Archive archive_;
    const bool doubted_;
    std::unordered_map<std::string, std::uint64_t> there_;
    std::unordered_set<std::string> sure_;  // written or checked by this object
    std::unordered_set<std::string> kept_;  // synced to disk
    std::deque<std::future<void>> under_way_;
};

// `between` is called between two blocks. The caller must hold a pin all the while, or the copy is not
// consistent.
Base copy_blocks(Blocks&, const Source&, const db::DatabaseFile&, const std::function<void()>& between);
// Copies blocks before there is a pin, if the copy is slow or pauses for writers: those that do not change
// meanwhile need not be copied while the pin holds up the log.
void send_ahead(Blocks&, const Source&, const db::DatabaseFile&, const std::function<void()>& between);

// Appends log to one full copy, and records the times.
class LogWriter {
public:
    LogWriter(const Archive& archive, std::int64_t base) : archive_(archive), base_(base) {}

    void write(std::uint64_t number, std::uint64_t offset, std::string_view bytes, std::int64_t ms);
    std::int64_t base() const { return base_; }
    std::uint64_t number() const { return number_; }
    std::uint64_t end() const { return end_; }
    // Continues at that place of an existing log.
    void resume(const Log&, std::uint64_t end);

private:
    Archive archive_;
    std::int64_t base_;
    std::uint64_t number_ = 0, end_ = 0;
    std::uint64_t lines_ = 0;  // bytes of the file of times
};

// Makes a full copy, including the log up to now, independently of a running server's keeper.
Base take_base(const Archive&, const Source&, std::int64_t now);

// The end of what a full copy has of this log; nullopt when it is damaged.
std::optional<db::LogPlace> end_of_log(const Archive&, std::int64_t base, const Log&);

}  // namespace backup

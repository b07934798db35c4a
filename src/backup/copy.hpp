// SPDX-License-Identifier: AGPL-3.0-or-later
// Whole copies of a database and of the files beside it, made beside whoever writes.
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

// What there is to keep of a server.
struct Source {
    fs::path database, media;
    std::vector<fs::path> files;  // settings, where they exist
    Manifest manifest;
};

// What whole copies are made of. What is there is believed by its size, unless something was found damaged.
class Blocks {
public:
    explicit Blocks(const Archive&);
    ~Blocks();
    void store(const std::string& sha256, std::string_view bytes);
    // And waits until the target keeps all of it; `between` is called between two parts of that.
    void add_files(const Source&, Base&, const std::function<void()>& between);
    const Archive& archive() const { return archive_; }

private:
    void wait_for_oldest();

    const Archive archive_;
    const bool doubted_;
    std::unordered_map<std::string, std::uint64_t> there_;
    std::unordered_set<std::string> sure_;  // of these, by what this one saw itself
    std::unordered_set<std::string> kept_;  // by the disk
    std::deque<std::future<void>> under_way_;
};

// `between` is called between two blocks. Without a pin of the caller, which stands as long, it is a copy of no moment.
Base copy_blocks(Blocks&, const Source&, const db::DatabaseFile&, const std::function<void()>& between);
// Where that takes long, or somebody writes and it rests: what does not change meanwhile is there before there is a pin, which holds up
// the log.
void send_ahead(Blocks&, const Source&, const db::DatabaseFile&, const std::function<void()>& between);

// Adds log to one whole copy, and notes when.
class LogWriter {
public:
    LogWriter(const Archive& archive, std::int64_t base) : archive_(archive), base_(base) {}

    void write(std::uint64_t number, std::uint64_t offset, std::string_view bytes, std::int64_t ms);
    std::int64_t base() const { return base_; }
    std::uint64_t number() const { return number_; }
    std::uint64_t end() const { return end_; }
    // Goes on at that place of what is there.
    void resume(const Log&, std::uint64_t end);

private:
    Archive archive_;
    std::int64_t base_;
    std::uint64_t number_ = 0, end_ = 0;
    std::uint64_t lines_ = 0;  // bytes of its notes of times
};

// A whole copy with the log up to now, by itself.
Base take_base(const Archive&, const Source&, std::int64_t now);

// The end of what a whole copy has of this log; nothing when it is damaged.
std::optional<db::LogPlace> end_of_log(const Archive&, std::int64_t base, const Log&);

}  // namespace backup

// SPDX-License-Identifier: AGPL-3.0-or-later
// Whole copies of a database and of the files beside it, made beside whoever writes.
#pragma once
#include "backup/archive.hpp"
#include "db/log/database_file.hpp"
#include "db/log/wal.hpp"

#include <functional>
#include <map>

namespace backup {

// What there is to keep of a server.
struct Source {
    fs::path database, media;
    std::vector<fs::path> files;  // settings, where they exist
    Manifest manifest;
};

// Stores the blocks that are not there yet. The file is pinned by the caller, for as long as it takes; `between` is called
// between two blocks.
Base copy_blocks(
    const Archive&, const Source&, const db::DatabaseFile& pinned, const std::function<void()>& between
);

// Appends log to the segments of one whole copy, and notes when.
class LogWriter {
public:
    LogWriter(const Archive& archive, std::int64_t base) : archive_(archive), base_(base) {}

    void write(std::uint64_t number, std::uint64_t offset, std::string_view bytes, std::int64_t ms);
    std::int64_t base() const { return base_; }
    std::uint64_t number() const { return number_; }
    std::uint64_t end() const { return end_; }
    // Goes on at that place of what is there.
    void resume(std::uint64_t number, std::uint64_t end);

private:
    Archive archive_;
    std::int64_t base_;
    std::uint64_t number_ = 0, end_ = 0;
    std::uint64_t lines_ = 0;  // bytes of its notes of times
};

// A whole copy with the log up to now, by itself.
Base take_base(const Archive&, const Source&, std::int64_t now);

// The end of what a whole copy has of the last log; nothing when there is none or it is damaged.
struct Tail {
    std::uint64_t number = 0;
    db::LogPlace place;
};
std::optional<Tail> tail_of(const Archive&, std::int64_t base);

}  // namespace backup

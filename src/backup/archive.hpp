// SPDX-License-Identifier: AGPL-3.0-or-later
// A backup as it stands in a folder (docs/operating/backup.md describes it for those who read it by hand):
//
//   manifest.json                 of which server it is
//   base/<time>                   a whole copy: the hashes of its blocks in order, and how far its log must be read
//   blocks/<2 hex>/<sha256>       a MiB of a database each, stored once
//   log/<time>/<number>.seg       a log of SQLite as it was, to be put beside that copy, one number after the other
//   log/<time>/<number>.at        when how much of it had been committed
//   media/…, media.list           uploaded files, and when each came and went
//   check/<time>.json             what was found when it was verified
#pragma once
#include "backup/files.hpp"
#include "base/describe.hpp"

namespace backup {

struct Manifest {
    std::int64_t format = 1;
    std::string dunlin, migration, engine = "sqlite", public_url;
};
DESCRIBE(Manifest, format, dunlin, migration, engine, public_url)

struct Block {
    std::string sha256;
    std::uint64_t bytes = 0;
};

// Settings that lie beside the database, as they were.
struct Kept {
    std::string name, sha256;
};

struct Base {
    std::int64_t ms = 0;
    // A copy that was made while pages moved is whole only with its log up to here.
    std::uint64_t least_number = 0, least_end = 0;
    std::vector<Kept> files;
    std::vector<Block> blocks;
    std::uint64_t bytes() const;
};

// At that time so much of a log was committed.
struct Point {
    std::uint64_t end = 0;
    std::int64_t ms = 0;
};

class Archive {
public:
    explicit Archive(fs::path folder) : folder_(std::move(folder)) {}
    const fs::path& folder() const { return folder_; }
    bool exists() const {
        std::error_code away;
        return fs::is_regular_file(folder_ / "manifest.json", away);
    }
    void prepare() const;  // makes the folders; throws Away

    void write_manifest(const Manifest&) const;
    Manifest manifest() const;  // throws Broken

    std::vector<std::int64_t> bases() const;  // oldest first
    Base base(std::int64_t ms) const;         // throws Broken
    void write_base(const Base&) const;

    bool has_base(std::int64_t ms) const {
        std::error_code away;
        return fs::exists(folder_ / "base" / name_of_time(ms), away);
    }

    fs::path block(const std::string& sha256) const;
    fs::path log_folder(std::int64_t base) const { return folder_ / "log" / name_of_time(base); }
    fs::path segment(std::int64_t base, std::uint64_t number) const;
    fs::path times(std::int64_t base, std::uint64_t number) const;
    std::vector<std::uint64_t> numbers(std::int64_t base) const;               // in order
    std::vector<Point> points(std::int64_t base, std::uint64_t number) const;  // throws Broken

    fs::path media() const { return folder_ / "media"; }
    fs::path media_list() const { return folder_ / "media.list"; }
    fs::path removed_pictures() const { return folder_ / "removed.pictures"; }

private:
    const fs::path folder_;
};

// The last moment to which the log of a whole copy reaches, or its own. Throws Broken.
std::int64_t last_point(const Archive&, std::int64_t base);

std::string line_of(Point);

// ---- whose folder it is ----

// `known` is a file that names the folder once a backup is in it; empty: nobody wants to know. Throws Away where a backup
// was and none is: its disk is not mounted, and to begin anew would fill the one beneath.
void require_presence(const Archive&, const fs::path& known);
void remember(const Archive&, const fs::path& known);
// Throws Away when another server, or another engine, keeps its backup there.
void require_own(const Archive&, const Manifest&);

}  // namespace backup

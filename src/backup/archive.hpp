// SPDX-License-Identifier: AGPL-3.0-or-later
// The layout of a backup in a folder (docs/operating/backup.md describes it for people who read it by hand):
//
//   manifest.json                 which server the backup is of
//   base/<time>                   a full copy: the hashes of its blocks, and how much of its log it needs
//   blocks/<2 hex>/<sha256>       1 MiB of a database each, stored once
//   log/<time>/<number>.seg       a SQLite log as it was; replayed on that copy in order of number
//   log/<time>/<number>.at        how much of it was committed at which time
//   log/<time>/<number>-<offset>-<time>[-<end>].seg
//                                 where files cannot grow: a piece of that log, committed by that time; the first
//                                 piece of a log also names the end of the log before it
//   media/…, media.list           uploaded files, and when each was added and removed
//   lists/<time>-<number>         where files cannot grow: more lines of media.list
//   check/<time>.json             the result of a verification
#pragma once
#include "backup/target.hpp"
#include "base/describe.hpp"

namespace backup {

struct Manifest {
    std::int64_t format = 1;  // 2: encrypted
    std::string dunlin, migration, engine = "sqlite", public_url;
    std::string key;  // key_id() of the key that encrypts all other files; empty: not encrypted
};
DESCRIBE(Manifest, format, dunlin, migration, engine, public_url, key)

struct Block {
    std::string sha256;
    std::uint64_t bytes = 0;
};

// Settings files from beside the database, as they were.
struct Kept {
    std::string name, sha256;
};

struct Base {
    std::int64_t ms = 0;
    // A copy made while pages were being moved is consistent only together with its log up to here.
    std::uint64_t least_number = 0, least_end = 0;
    std::vector<Kept> files;
    std::vector<Block> blocks;
    std::uint64_t bytes() const;
};

// How much of a log had been committed at that time.
struct Point {
    std::uint64_t end = 0;
    std::int64_t ms = 0;
};

// The stored parts of one SQLite log: a file that grew, or pieces. Where two overlap, both are valid.
struct Log {
    struct Stretch {
        std::string name;
        std::uint64_t offset = 0, bytes = 0;
        std::int64_t ms = 0;           // 0: a file that grew, whose times are stored beside it
        std::uint64_t end_before = 0;  // of the previous log; 0: not recorded
    };
    std::uint64_t number = 0;
    std::vector<Stretch> pieces;
    std::uint64_t bytes() const;  // up to the first gap
};

class Archive {
public:
    explicit Archive(std::shared_ptr<Target> target) : target_(std::move(target)) {}
    explicit Archive(const fs::path& folder) : Archive(folder_target(folder)) {}
    Target& target() const { return *target_; }
    std::string where() const { return target_->where(); }
    std::string where(const std::string& name) const { return target_->where(name); }
    bool exists() const { return target_->size(manifest_name).has_value(); }

    // Call before writing the first file. If the backup is encrypted, the manifest is written at once to
    // record the key. Throws Away if files exist that are unencrypted or encrypted with another key.
    void begin(const Manifest&) const;
    void write_manifest(Manifest) const;
    Manifest manifest(
    ) const;  // throws Broken; throws Away for another key than the target's, or a newer format

    std::vector<std::int64_t> bases() const;  // oldest first
    Base base(std::int64_t ms) const;         // throws Broken
    void write_base(const Base&) const;
    bool has_base(std::int64_t ms) const { return target_->size(base_name(ms)).has_value(); }

    std::vector<Log> logs(std::int64_t base) const;                                // by number; throws Broken
    std::vector<Point> points(std::int64_t base, const Log&) const;                // throws Broken
    std::string bytes_of(std::int64_t base, const Log&, std::uint64_t end) const;  // throws Broken

    static std::string base_name(std::int64_t ms);
    static std::string block(const std::string& sha256);
    static std::string log_folder(std::int64_t base);
    static std::string segment(std::int64_t base, std::uint64_t number);
    static std::string piece(
        std::int64_t base, std::uint64_t number, std::uint64_t offset, std::int64_t ms,
        std::uint64_t end_before
    );
    static std::string times(std::int64_t base, std::uint64_t number);

private:
    std::shared_ptr<Target> target_;
};

constexpr const char* media_folder = "media/";
constexpr const char* media_list_name = "media.list";
constexpr const char* removed_pictures_name = "removed.pictures";

// The last time that the log of a full copy reaches, or the copy's own time. Throws Broken.
std::int64_t last_point(const Archive&, std::int64_t base);

std::string line_of(Point);

// ---- ownership of the folder ----

// `known` is a local file that records the folder once it holds a backup; empty: not used. Throws Away if
// there was a backup but it is gone: its disk is probably not mounted, and starting over would fill the disk
// below the mount point.
void require_presence(const Archive&, const fs::path& known);
void remember(const Archive&, const fs::path& known);
// Rewrites a damaged manifest, which no longer says whose backup it is, if `known` proves that it is ours.
void mend_manifest(const Archive&, const Manifest& own, const fs::path& known);
// Throws Away when the folder holds the backup of another server or another engine.
void require_own(const Archive&, const Manifest&);

}  // namespace backup

// SPDX-License-Identifier: AGPL-3.0-or-later
// A backup as it stands in a folder (docs/operating/backup.md describes it for those who read it by hand):
//
//   manifest.json                 of which server it is
//   base/<time>                   a whole copy: the hashes of its blocks in order, and how far its log must be read
//   blocks/<2 hex>/<sha256>       a MiB of a database each, stored once
//   log/<time>/<number>.seg       a log of SQLite as it was, to be put beside that copy, one number after the other
//   log/<time>/<number>.at        when how much of it had been committed
//   log/<time>/<number>-<offset>-<time>[-<end>].seg
//                                 where files do not grow: a piece of that log, which had been committed then; the first one
//                                 of a log tells where the one before it ended
//   media/…, media.list           uploaded files, and when each came and went
//   lists/<time>-<number>         where files do not grow: more lines of media.list
//   check/<time>.json             what was found when it was verified
#pragma once
#include "backup/target.hpp"
#include "base/describe.hpp"

namespace backup {

struct Manifest {
    std::int64_t format = 1;  // 2: encrypted
    std::string dunlin, migration, engine = "sqlite", public_url;
    std::string key;  // key_id() of that with which all other files are encrypted; empty: none is
};
DESCRIBE(Manifest, format, dunlin, migration, engine, public_url, key)

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

// What is there of a log of SQLite: a file that grew, or pieces. Of two that overlap, both are right.
struct Log {
    struct Stretch {
        std::string name;
        std::uint64_t offset = 0, bytes = 0;
        std::int64_t ms = 0;           // 0: a file that grew, its moments stand beside it
        std::uint64_t end_before = 0;  // of the log before; 0: it is not told
    };
    std::uint64_t number = 0;
    std::vector<Stretch> pieces;
    std::uint64_t bytes() const;  // up to where it reaches without a gap
};

class Archive {
public:
    explicit Archive(std::shared_ptr<Target> target) : target_(std::move(target)) {}
    explicit Archive(const fs::path& folder) : Archive(folder_target(folder)) {}
    Target& target() const { return *target_; }
    std::string where() const { return target_->where(); }
    std::string where(const std::string& name) const { return target_->where(name); }
    bool exists() const { return target_->size(manifest_name).has_value(); }

    // Before the first file. Where all are encrypted it is written down at once with which key. Throws Away: files are there that are not, or are
    // with another.
    void begin(const Manifest&) const;
    void write_manifest(Manifest) const;
    Manifest manifest(
    ) const;  // throws Broken, and Away when it was encrypted with another key than the target has, or is of a newer program

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

// The last moment to which the log of a whole copy reaches, or its own. Throws Broken.
std::int64_t last_point(const Archive&, std::int64_t base);

std::string line_of(Point);

// ---- whose folder it is ----

// `known` is a file that names the folder once a backup is in it; empty: nobody wants to know. Throws Away where a backup
// was and none is: its disk is not mounted, and to begin anew would fill the one beneath.
void require_presence(const Archive&, const fs::path& known);
void remember(const Archive&, const fs::path& known);
// A damaged manifest does not say whose backup that is; where `known` does, it is written anew.
void mend_manifest(const Archive&, const Manifest& own, const fs::path& known);
// Throws Away when another server, or another engine, keeps its backup there.
void require_own(const Archive&, const Manifest&);

}  // namespace backup

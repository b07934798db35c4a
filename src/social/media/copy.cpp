// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/copy.hpp"

#include "social/instance/settings.hpp"
#include "social/media/media.hpp"

namespace media {

const db::Query<Copy> copy_of_file{
    "copy_of_file", "SELECT file, small, fetched_at, used_at FROM remote_files WHERE url = $1"
};

std::optional<Copy> find_copy(db::Read& db, std::string_view url) { return db.maybe(copy_of_file, url); }

bool is_stale(const Copy& copy, base::Time now) {
    constexpr std::int64_t hour = 3600, day = 86'400;
    if (copy.file.empty()) return copy.fetched_at < now.plus_seconds(-hour);
    return copy.used_at < now.plus_seconds(-day);
}

// Two may have made the same one at the same time; what the first made is found by sweep_orphans.
const db::Command put_copy{
    "put_copy",
    R"(INSERT INTO remote_files (url, file, small, bytes, fetched_at, used_at) VALUES ($1, $2, $3, $4, $5, $5)
       ON CONFLICT (url) DO UPDATE SET file = excluded.file, small = excluded.small, bytes = excluded.bytes,
           fetched_at = excluded.fetched_at, used_at = excluded.used_at)"
};
const db::Command use_copy{"use_copy", "UPDATE remote_files SET used_at = $2 WHERE url = $1"};

void keep_copy(db::Write& db, std::string_view url, const Copy& copy, std::int64_t bytes) {
    db.run(put_copy, url, copy.file, copy.small, bytes, db.now());
}

void note_copy_used(db::Write& db, std::string_view url) { db.run(use_copy, url, db.now()); }

const db::Query<Usage> sum_of_copies{
    "sum_of_copies",
    "SELECT count(*) AS files, CAST(COALESCE(sum(bytes), 0) AS BIGINT) AS bytes FROM remote_files WHERE file "
    "<> ''"
};

Usage usage_of_copies(db::Read& db) { return db.one(sum_of_copies); }

const db::Query<std::string> copy_with_file{
    "copy_with_file", "SELECT file FROM remote_files WHERE file <> '' AND file >= $1 AND file < $2 LIMIT 1"
};

// Its name, or that of its preview: one family.
bool is_copy(db::Read& db, std::string_view file) {
    const auto name = std::string(family(file));
    return db.maybe(copy_with_file, name + ".", name + "`").has_value();
}

namespace {

constexpr const char* limit_name = "copies_megabytes";
constexpr const char* short_name = "short_of_room";  // since when, in milliseconds

bool is_short_of_room(db::Read& db) {
    constexpr std::int64_t good_for = 10 * 60;
    return instance::number_setting(db, short_name) > db.now().plus_seconds(-good_for).ms;
}

}  // namespace

std::int64_t most_bytes_of_copies(db::Read& db) {
    const auto bytes = instance::number_setting(db, limit_name, default_copies_megabytes) << 20;
    return is_short_of_room(db) ? bytes / 2 : bytes;
}

void set_most_megabytes_of_copies(db::Write& db, std::int64_t megabytes) {
    instance::set_setting(db, limit_name, std::to_string(megabytes));
}

void note_short_of_room(db::Write& db) {
    instance::set_setting(db, short_name, std::to_string(db.now().ms));
    db.emit(ShortOfRoom{});
}

namespace {

struct Oldest {
    std::string url, file, small;
    std::int64_t bytes = 0;
};
DESCRIBE(Oldest, url, file, small, bytes)

// The original goes last (store.hpp).
void add_files(FilesReleased& left, const std::string& file, const std::string& small) {
    if (!small.empty() && small != file) left.files.push_back(small);
    left.files.push_back(file);
}

}  // namespace

const db::Query<Oldest> oldest_copies{
    "oldest_copies",
    "SELECT url, file, small, bytes FROM remote_files WHERE file <> '' ORDER BY used_at LIMIT 200"
};
const db::Command delete_copy{"delete_copy", "DELETE FROM remote_files WHERE url = $1"};
const db::Query<std::string> old_failures{
    "old_failures", "SELECT url FROM remote_files WHERE file = '' AND fetched_at < $1 LIMIT 500"
};
const db::Command delete_failure{"delete_failure", "DELETE FROM remote_files WHERE url = $1 AND file = ''"};

void forget_copy(db::Write& db, std::string_view url) {
    auto copy = find_copy(db, url);
    if (!copy || copy->file.empty()) return;
    db.run(delete_copy, url);
    FilesReleased left;
    add_files(left, copy->file, copy->small);
    db.emit(left);
}

namespace {

// Of `total` bytes, which it counts down; whether there is more to do.
bool remove_oldest(db::Write& db, std::int64_t& total, std::int64_t bytes) {
    FilesReleased left;
    for (const auto& copy : db.all(oldest_copies)) {
        if (total <= bytes) break;
        total -= copy.bytes;
        db.run(delete_copy, copy.url);
        add_files(left, copy.file, copy.small);
    }
    bool any = !left.files.empty();
    if (any) db.emit(left);
    return any && total > bytes;
}

}  // namespace

bool prune_copies_to(db::Write& db, std::int64_t bytes) {
    auto total = usage_of_copies(db).bytes;
    return remove_oldest(db, total, bytes);
}

jobs::Change prune_copies(db::Read& db) {
    constexpr std::int64_t day = 86'400;
    auto failures = db.all(old_failures, db.now().plus_seconds(-day));
    auto total = usage_of_copies(db).bytes, most = most_bytes_of_copies(db);
    if (failures.empty() && total <= most) return {};
    return [failures = std::move(failures), total, most](db::Write& write) mutable {
        for (const auto& url : failures) write.run(delete_failure, url);
        remove_oldest(write, total, most);
    };
}

jobs::Change begin_making_room(db::Read& db, const ShortOfRoom&) {
    const RoomOfCopiesContinued left{usage_of_copies(db).bytes, most_bytes_of_copies(db)};
    if (left.total <= left.most) return {};
    return [left](db::Write& write) { make_room_of_copies(write, left); };
}

void make_room_of_copies(db::Write& db, const RoomOfCopiesContinued& left) {
    auto total = left.total;
    if (remove_oldest(db, total, left.most)) db.emit(RoomOfCopiesContinued{total, left.most});
}

}  // namespace media

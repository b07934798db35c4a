// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/media/cache.hpp"

#include "base/crypto.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

namespace server {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t sure_seconds = 300;
constexpr const char* scratch_folder = ".coming";

// The time of the last use is the inode's ctime, which nothing but confirm() and keep() changes.
void touch(const fs::path& path, timespec changed) {
    const timespec times[] = {{0, UTIME_NOW}, changed};
    ::utimensat(AT_FDCWD, path.c_str(), times, 0);
}

}  // namespace

FileCache::FileCache(fs::path folder, std::uint64_t most_bytes)
    : folder_(std::move(folder)), most_(most_bytes) {
    // Removes what killed processes left; recent files may belong to a running one.
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder_ / scratch_folder, none))
        if (fs::last_write_time(entry, none) + std::chrono::hours(24) < fs::file_time_type::clock::now())
            fs::remove(entry, none);
    make_room({});
}

std::optional<FileCache::Hit> FileCache::find(const std::string& name) const {
    struct stat facts{};
    auto path = folder_ / name;
    if (::stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
    return Hit{std::move(path), std::time(nullptr) - facts.st_ctim.tv_sec < sure_seconds};
}

fs::path FileCache::scratch() const {
    fs::create_directories(folder_ / scratch_folder);
    return folder_ / scratch_folder / base::hex(base::random_bytes(16));
}

fs::path FileCache::keep(const std::string& name, const fs::path& made, base::Time changed) {
    const auto to = folder_ / name;
    fs::create_directories(to.parent_path());
    touch(made, {changed.ms / 1000, (changed.ms % 1000) * 1'000'000});
    const auto size = fs::file_size(made);
    fs::rename(made, to);
    if ((bytes_ += size) > most_) make_room(to);
    return to;
}

void FileCache::confirm(const std::string& name) const { touch(folder_ / name, {0, UTIME_OMIT}); }

void FileCache::drop(const std::string& name) {
    std::error_code none;
    fs::remove(folder_ / name, none);
}

void FileCache::make_room(const fs::path& wanted) {
    const std::lock_guard lock(cleaning_);
    struct Old {
        std::pair<std::time_t, long> asked;
        std::uint64_t bytes;
        fs::path path;
    };
    std::vector<Old> all;
    std::uint64_t total = 0;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(folder_, none)) {
        struct stat facts{};
        if (::lstat(entry.path().c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
        if (entry.path().parent_path().filename() == scratch_folder) continue;
        const auto bytes = static_cast<std::uint64_t>(facts.st_size);
        all.push_back({{facts.st_ctim.tv_sec, facts.st_ctim.tv_nsec}, bytes, entry.path()});
        total += bytes;
    }
    std::ranges::sort(all, {}, &Old::asked);
    const auto enough = total > most_ ? most_ / 10 * 9 : total;
    for (const auto& old : all) {
        if (total <= enough) break;
        if (old.path != wanted && fs::remove(old.path, none)) total -= old.bytes;
    }
    bytes_ = total;
}

}  // namespace server

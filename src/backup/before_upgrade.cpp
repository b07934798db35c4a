// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/before_upgrade.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>
#include <vector>

namespace backup {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view prefix = "before-", suffix = ".db";

class File {
public:
    explicit File(int fd) : fd_(fd) {}
    File(File&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    ~File() {
        if (fd_ >= 0) ::close(fd_);
    }
    int get() const { return fd_; }

private:
    int fd_;
};

bool share_blocks(const File& from, const File& to) { return ::ioctl(to.get(), FICLONE, from.get()) == 0; }

bool copy_bytes(const File& from, const File& to) {
    for (;;) {
        const auto sent = ::sendfile(to.get(), from.get(), nullptr, 16 << 20);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return sent == 0 && ::fsync(to.get()) == 0;
    }
}

std::vector<fs::path> copies_in(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
        const auto name = entry.path().filename().string();
        if (name.starts_with(prefix) && name.ends_with(suffix)) found.push_back(entry.path());
    }
    std::ranges::sort(found);
    return found;
}

void remove_copy(const fs::path& copy) {
    std::error_code ignored;
    fs::remove(copy.string() + "-wal", ignored);
    fs::remove(copy, ignored);
}

std::uint64_t size_of(const fs::path& path) {
    std::error_code absent;
    const auto size = fs::file_size(path, absent);
    return absent ? 0 : size;
}

// Copies the log first: what a checkpoint moves meanwhile is then in both files.
bool copy_both(const fs::path& database, const fs::path& copy, bool small) {
    for (const char* end : {"-wal", ""}) {
        const File from(::open((database.string() + end).c_str(), O_RDONLY | O_CLOEXEC));
        if (from.get() < 0 && *end) continue;
        const File to(::open((copy.string() + end).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
        if (from.get() < 0 || to.get() < 0) return false;
        if (!share_blocks(from, to) && (!small || !copy_bytes(from, to))) return false;
    }
    return true;
}

}  // namespace

BeforeUpgrade keep_before_upgrade(
    const fs::path& database, const std::string& first_migration, std::uint64_t reserve
) {
    const auto folder = database.parent_path();
    const auto copy = folder / (std::string(prefix) + first_migration.substr(0, 4) + std::string(suffix));
    const auto size = size_of(database) + size_of(database.string() + "-wal");
    std::error_code unknown;
    const auto space = fs::space(folder, unknown);
    const bool fits = !unknown && space.available > size + reserve;
    // Under a temporary name until complete; a copy that an earlier upgrade left is outdated.
    const fs::path part = copy.string() + ".part", log = part.string() + "-wal";
    remove_copy(part);
    if (copy_both(database, part, size <= most_bytes_copied && fits)) {
        remove_copy(copy);
        if (fs::exists(log)) fs::rename(log, copy.string() + "-wal");
        fs::rename(part, copy);
        return {copy, {}};
    }
    remove_copy(part);
    if (size <= most_bytes_copied) return {{}, "there is too little room for one"};
    return {{}, "the file system shares no blocks, and to copy it would take a while"};
}

void forget_old_upgrades(const fs::path& folder, base::Time now) {
    constexpr std::int64_t week_ms = std::int64_t{7} * 86'400'000;
    for (const auto& copy : copies_in(folder)) {
        struct stat facts{};
        if (::stat(copy.c_str(), &facts) != 0) continue;
        if (facts.st_mtim.tv_sec * std::int64_t{1000} < now.ms - week_ms) remove_copy(copy);
    }
}

fs::path last_before_upgrade(const fs::path& folder) {
    const auto all = copies_in(folder);
    return all.empty() ? fs::path() : all.back();
}

}  // namespace backup

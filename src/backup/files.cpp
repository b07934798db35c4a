// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/files.hpp"

#include "base/crypto.hpp"
#include "base/time.hpp"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

namespace backup {

void throw_away(const fs::path& path, const char* what) {
    throw Away(path.string() + " cannot be " + what + " (" + std::strerror(errno) + ")");
}

namespace {

class File {
public:
    File(const fs::path& path, int flags) : path_(path), fd_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {
        if (fd_ < 0) throw_away(path, "opened");
    }
    ~File() { ::close(fd_); }
    File(const File&) = delete;

    void write(std::string_view bytes, std::uint64_t offset) const {
        while (!bytes.empty()) {
            const auto n = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) throw_away(path_, "written");
            bytes.remove_prefix(static_cast<std::size_t>(n));
            offset += static_cast<std::uint64_t>(n);
        }
    }
    std::string read(std::uint64_t offset, std::size_t most) const {
        std::string bytes(most, '\0');
        ssize_t n;
        do n = ::pread(fd_, bytes.data(), most, static_cast<off_t>(offset));
        while (n < 0 && errno == EINTR);
        if (n < 0) throw_away(path_, "read");
        bytes.resize(static_cast<std::size_t>(n));
        return bytes;
    }
    std::uint64_t size() const {
        struct stat facts{};
        if (::fstat(fd_, &facts) != 0) throw_away(path_, "read");
        return static_cast<std::uint64_t>(facts.st_size);
    }
    void cut(std::uint64_t size) const {
        if (::ftruncate(fd_, static_cast<off_t>(size)) != 0) throw_away(path_, "written");
    }
    void keep() const {
        if (::fdatasync(fd_) != 0) throw_away(path_, "written");
    }
    // Starts writing to disk now, without a journal commit, and drops the pages from memory. Otherwise a
    // gigabyte accumulates, and the next process that syncs anything waits for all of it.
    void write_out(std::uint64_t offset, std::uint64_t bytes, bool wait) const {
        constexpr auto until_there = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WAIT_AFTER;
        const auto from = static_cast<off_t>(offset), size = static_cast<off_t>(bytes);
        const auto how = SYNC_FILE_RANGE_WRITE | (wait ? until_there : 0u);
        const bool failed = ::sync_file_range(fd_, from, size, how) != 0;
        if (failed && (errno == EIO || errno == ENOSPC || errno == EDQUOT)) throw_away(path_, "written");
        ::posix_fadvise(fd_, from, size, POSIX_FADV_DONTNEED);
    }
    int get() const { return fd_; }

private:
    const fs::path path_;
    const int fd_;
};

constexpr std::size_t piece = 1 << 20;

void keep_name(const fs::path& path) { keep_names(path.parent_path()); }

void give_name(const fs::path& made, const fs::path& path) {
    if (::rename(made.c_str(), path.c_str()) != 0) throw_away(path, "written");
}

}  // namespace

void keep_names(const fs::path& folder) {
    const auto& path = folder.empty() ? fs::path(".") : folder;
    const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && errno == EACCES) return;  // not ours: we may create files here, but not read
    if (fd < 0) throw_away(path, "opened");
    const int error = ::fsync(fd) == 0 ? 0 : errno;
    ::close(fd);
    // Some file systems need no sync of directories and refuse it.
    if (error == 0 || error == EINVAL || error == ENOTSUP || error == EROFS) return;
    errno = error;
    throw_away(path, "written");
}

std::string contents(const fs::path& path) {
    try {
        const File file(path, O_RDONLY);
        auto bytes = file.read(0, file.size());  // at once: growing would copy it several times
        for (;;) {
            constexpr std::size_t a_little = 4096;
            const auto more = file.read(bytes.size(), a_little);
            if (more.empty()) return bytes;
            bytes += more;
        }
    } catch (const Away& e) {
        throw Broken(e.what());
    }
}

std::string part_of(const fs::path& path, std::uint64_t offset, std::size_t bytes) {
    return File(path, O_RDONLY).read(offset, bytes);
}

void put(const fs::path& path, std::string_view bytes, bool keep) {
    const fs::path made = path.string().append(unfinished);
    {
        const File file(made, O_WRONLY | O_CREAT | O_TRUNC);
        // Limits how long others who sync meanwhile have to wait.
        constexpr std::size_t at_once = 256 << 10;
        for (std::uint64_t done = 0; done < bytes.size(); done += at_once) {
            const auto part = bytes.substr(done, at_once);
            file.write(part, done);
            if (!keep) file.write_out(done, part.size(), true);
        }
        if (keep) file.keep();
    }
    give_name(made, path);
    if (keep) keep_name(path);
}

void copy_whole(const fs::path& from, const fs::path& to) {
    const fs::path made = to.string().append(unfinished);
    {
        const File source(from, O_RDONLY), file(made, O_WRONLY | O_CREAT | O_TRUNC);
        std::uint64_t offset = 0;
        for (;;) {
            auto bytes = source.read(offset, piece);
            if (bytes.empty()) break;
            file.write(bytes, offset);
            file.write_out(offset, bytes.size(), bytes.size() == piece);  // no waiting for small parts
            offset += bytes.size();
        }
    }
    give_name(made, to);
}

void write_at(const fs::path& path, std::uint64_t offset, std::string_view bytes) {
    const bool made = !fs::exists(path);
    const File file(path, O_WRONLY | O_CREAT);
    const auto size = file.size();
    if (size < offset) throw Broken(path.string() + " is shorter than it was");
    if (size > offset) file.cut(offset);
    file.write(bytes, offset);
    file.keep();
    if (made) keep_name(path);
}

void append(const fs::path& path, std::string_view bytes, std::uint64_t offset) {
    const File file(path, O_WRONLY | O_CREAT);
    file.write(bytes, offset);
}

void make_folder(const fs::path& path, bool keep) {
    std::error_code error;
    std::vector<fs::path> made;
    for (auto at = path; !at.empty() && !fs::exists(at, error); at = at.parent_path()) made.push_back(at);
    fs::create_directories(path, error);
    if (error) throw Away("The folder " + path.string() + " cannot be made (" + error.message() + ")");
    for (const auto& one : made)
        if (keep) keep_name(one);
}

void keep_file(const fs::path& path) { File(path, O_RDONLY).keep(); }

void keep_all(const fs::path& folder) {
    const File file(folder, O_RDONLY | O_DIRECTORY);
    if (::syncfs(file.get()) != 0) throw_away(folder, "written");
}

std::string sha256_of(const fs::path& path) {
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    const File file(path, O_RDONLY);
    auto raw = [](std::string& bytes) { return reinterpret_cast<unsigned char*>(bytes.data()); };
    for (std::uint64_t offset = 0;;) {
        auto bytes = file.read(offset, piece);
        if (bytes.empty()) break;
        crypto_hash_sha256_update(&state, raw(bytes), bytes.size());
        offset += bytes.size();
    }
    std::string hash(crypto_hash_sha256_BYTES, '\0');
    crypto_hash_sha256_final(&state, raw(hash));
    return base::hex(hash);
}

std::string checked_line(std::string_view words) {
    return std::string(words) + " " + base::sha256_hex(words).substr(0, 8) + "\n";
}

std::optional<std::string> words_of(std::string_view line) {
    const auto end = line.rfind(' ');
    if (end == line.npos || base::sha256_hex(line.substr(0, end)).substr(0, 8) != line.substr(end + 1))
        return std::nullopt;
    return std::string(line.substr(0, end));
}

std::vector<std::string> split(std::string_view text, char at) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const auto end = std::min(text.find(at), text.size());
        parts.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

std::string name_of_time(std::int64_t ms) {
    std::string name;
    for (char c : base::to_string(base::Time{ms}))
        if (c != '-' && c != ':') name += c;
    return name;
}

std::optional<std::int64_t> time_of_name(std::string_view name) {
    constexpr std::size_t length = 20;  // 20261123T052611.123Z
    if (name.size() != length) return std::nullopt;
    std::string text(name);
    for (std::size_t at : {13u, 11u}) text.insert(at, ":");
    for (std::size_t at : {6u, 4u}) text.insert(at, "-");
    auto time = base::parse_time(text);
    return time ? std::optional(time->ms) : std::nullopt;
}

}  // namespace backup

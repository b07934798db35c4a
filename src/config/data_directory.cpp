// SPDX-License-Identifier: AGPL-3.0-or-later
#include "config/data_directory.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cstring>
#include <string>

namespace server {

namespace fs = std::filesystem;

namespace {

void make(const fs::path& folder, mode_t mode, const char* flag) {
    std::error_code error;
    if (fs::is_directory(folder, error)) return;
    error.clear();  // it does not exist yet
    if (!folder.parent_path().empty()) fs::create_directories(folder.parent_path(), error);
    if (!error && (::mkdir(folder.c_str(), mode) != 0 || ::chmod(folder.c_str(), mode) != 0))
        error.assign(errno, std::generic_category());
    if (error)
        throw DataDirectoryError(
            "The folder " + folder.string() + " cannot be made (" + error.message() +
            "); make it yourself or name another one with " + flag
        );
}

void close_to_others(const fs::path& path) {
    struct stat facts{};
    if (::lstat(path.c_str(), &facts) != 0 || (facts.st_mode & 0077) == 0 || S_ISLNK(facts.st_mode)) return;
    ::chmod(path.c_str(), facts.st_mode & 0700);  // fails for files of other users, which stay as they are
}

std::string holder(int file) {
    char text[32] = {};
    auto length = ::pread(file, text, sizeof text - 1, 0);
    return length > 0 ? "process " + std::string(text, std::strcspn(text, "\n")) : "another process";
}

}  // namespace

void prepare_data_directory(const Config& config) {
    ::umask(0077);
    make(config.data_path(), 0700, "--data");
    make(config.spool_path(), 0700, "--data");
    make(config.media_path(), 0755, config.media.empty() ? "--data" : "--media");  // may be served by a proxy
    for (const char* end : {"", "-wal", "-shm"}) close_to_others(config.database_file().string() + end);
    close_to_others(config.mail_path());
    std::error_code none;
    for (const auto& mail : fs::directory_iterator(config.mail_path(), none)) close_to_others(mail.path());
}

std::optional<std::string> advice_on_access(const Config& config) {
    struct stat facts{};
    if (::stat(config.data_path().c_str(), &facts) != 0) return std::nullopt;
    if ((facts.st_mode & (S_IRGRP | S_IROTH)) == 0) return std::nullopt;
    std::error_code error;
    auto folder = fs::absolute(config.data_path(), error);
    return "chmod 700 " + (error ? config.data_path() : folder).string();
}

namespace {

std::string name_of(uid_t user) {
    const auto* known = ::getpwuid(user);
    return known ? known->pw_name : std::to_string(user);
}

}  // namespace

std::optional<std::string> other_owner(const Config& config) {
    struct stat facts{};
    if (::stat(config.data_path().c_str(), &facts) != 0 || facts.st_uid == ::geteuid()) return std::nullopt;
    return name_of(facts.st_uid);
}

std::optional<std::string> user_for_media(const Config& config) {
    if (config.media_store != MediaStore::folder) return std::nullopt;
    std::error_code none;
    const auto folder =
        fs::is_directory(config.media_path(), none) ? config.media_path() : config.data_path();
    struct stat facts{};
    if (::stat(folder.c_str(), &facts) != 0 || facts.st_uid == ::geteuid()) return std::nullopt;
    if (::geteuid() != 0 && ::access(folder.c_str(), W_OK) == 0) return std::nullopt;
    return name_of(facts.st_uid);
}

void give_to_owner(const Config& config, const fs::path& made) {
    struct stat facts{};
    if (::geteuid() != 0 || ::stat(config.data_path().c_str(), &facts) != 0 || facts.st_uid == 0) return;
    if (::lchown(made.c_str(), facts.st_uid, facts.st_gid) != 0)
        throw DataDirectoryError(made.string() + " cannot be given to the owner of " + config.data);
}

void empty_spool(const Config& config, std::chrono::hours older_than) {
    const auto before = fs::file_time_type::clock::now() - older_than;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(config.spool_path(), ignored)) {
        std::error_code error;
        if (entry.last_write_time(error) <= before && !error) fs::remove_all(entry.path(), ignored);
    }
}

DataDirectoryLock::DataDirectoryLock(const Config& config) {
    auto path = config.data_path() / "lock";
    file_ = net::Fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (file_.get() < 0)
        throw DataDirectoryError("The file " + path.string() + " cannot be opened: " + std::strerror(errno));
    if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0)
        throw DataDirectoryError(
            "A Dunlin server (" + holder(file_.get()) + ") already runs on the folder " + config.data +
            "; stop it first, or give this one a folder of its own with --data"
        );
    auto pid = std::to_string(::getpid()) + "\n";
    if (::ftruncate(file_.get(), 0) != 0 || ::pwrite(file_.get(), pid.data(), pid.size(), 0) < 0)
        throw DataDirectoryError("The file " + path.string() + " cannot be written: " + std::strerror(errno));
}

}  // namespace server

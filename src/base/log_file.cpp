// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/log_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <system_error>

namespace base {

namespace {

using Clock = std::chrono::steady_clock;

// If files cannot be renamed, the full one is used for this long before the next attempt.
constexpr std::chrono::minutes between_turns{1};

std::filesystem::path older(const std::filesystem::path& file, int number) {
    return number == 0 ? file : std::filesystem::path(file.string() + "." + std::to_string(number));
}

}  // namespace

LogFile::LogFile(LogFileOptions options) : options_(std::move(options)) {}

LogFile::~LogFile() { close(); }

bool LogFile::failed(const char* what, int error) {
    problem_ = std::string(what) + ": " + std::system_category().message(error);
    return false;
}

void LogFile::close() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
}

// Non-blocking: a pipe that nobody reads would block everybody.
bool LogFile::open() {
    if (file_ >= 0) return true;
    if (Clock::now() < next_try_) return false;
    constexpr mode_t readable_for_group = 0640;
    const int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK;
    file_ = ::open(options_.file.c_str(), flags, readable_for_group);
    struct stat found{};
    if (file_ < 0 || ::fstat(file_, &found) != 0) {
        const int error = errno;
        next_try_ = Clock::now() + options_.try_again;
        close();
        return failed("it cannot be opened", error);
    }
    regular_ = S_ISREG(found.st_mode);
    size_ = regular_ ? static_cast<std::uintmax_t>(found.st_size) : 0;
    return true;
}

// Another process may have rotated the file; this one then continues in the new file.
bool LogFile::has_the_name() const {
    struct stat here{}, named{};
    return ::fstat(file_, &here) == 0 && ::stat(options_.file.c_str(), &named) == 0 &&
           here.st_dev == named.st_dev && here.st_ino == named.st_ino;
}

void LogFile::begin_anew(std::size_t wanted) {
    if (!has_the_name()) {
        close();
        next_try_ = {};
        if (!open() || !regular_) return;
    }
    struct stat found{};
    // Other processes may have truncated it or written to it.
    if (::fstat(file_, &found) == 0) size_ = static_cast<std::uintmax_t>(found.st_size);
    if (size_ == 0 || size_ + wanted < options_.most_bytes || Clock::now() < next_turn_) return;
    std::error_code error;
    if (options_.files <= 1) {
        if (::ftruncate(file_, 0) == 0) size_ = 0;
        else next_turn_ = Clock::now() + between_turns;
        return;
    }
    for (int number = options_.files - 2; number >= 0; --number) {
        error.clear();
        std::filesystem::rename(older(options_.file, number), older(options_.file, number + 1), error);
    }
    if (error) {  // of the last one, the file itself
        next_turn_ = Clock::now() + between_turns;
        return;
    }
    // A higher `files` option may have left more.
    for (int number = options_.files; std::filesystem::remove(older(options_.file, number), error);
         ++number) {}
    close();
    next_try_ = {};
    open();
}

bool LogFile::write(std::string_view line) {
    if (!open()) return false;
    if (regular_ && options_.most_bytes > 0 && size_ + line.size() >= options_.most_bytes) {
        begin_anew(line.size());
        if (file_ < 0) return false;
    }
    std::string whole;
    whole.reserve(line.size() + 2);
    if (torn_) whole += '\n';
    whole += line;
    whole += '\n';
    ssize_t written = 0;
    do {
        written = ::write(file_, whole.data(), whole.size());
    } while (written < 0 && errno == EINTR);
    if (written == static_cast<ssize_t>(whole.size())) {
        torn_ = false;
        size_ += whole.size();
        return true;
    }
    const int error = written < 0 ? errno : ENOSPC;
    if (written > 0) torn_ = true, size_ += static_cast<std::uintmax_t>(written);
    failed("it cannot be written", error);
    if (error != ENOSPC && error != EDQUOT && error != EAGAIN) {
        close();
        next_try_ = Clock::now() + options_.try_again;
    }
    return false;
}

void LogFile::reopen() {
    close();
    next_try_ = next_turn_ = {};
    torn_ = false;
    open();
}

}  // namespace base

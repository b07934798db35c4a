// SPDX-License-Identifier: AGPL-3.0-or-later
// A file of log lines that is kept small: when it is full it becomes the first of some older ones, and the oldest goes. What
// cannot be written there is somebody else's to write: a full disk or a missing folder holds up nobody.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace base {

struct LogFileOptions {
    std::filesystem::path file;                 // empty: none, lines go to stderr
    std::uintmax_t most_bytes = 0;              // of one file; 0: it is left to others to begin a new one
    int files = 1;                              // with this one: NAME, NAME.1 …
    std::chrono::milliseconds try_again{1000};  // after it could not be opened

    bool operator==(const LogFileOptions&) const = default;
};

class LogFile {
public:
    explicit LogFile(LogFileOptions);
    ~LogFile();
    LogFile(const LogFile&) = delete;

    // The line and its end. False: it is not in the file, or not whole.
    bool write(std::string_view line);
    // Opens what has the name now; the other file was moved away.
    void reopen();
    std::string problem() const { return problem_; }  // why the last line was not written

private:
    bool open();
    void close();
    bool has_the_name() const;
    void begin_anew(std::size_t wanted);
    bool failed(const char* what, int error);

    const LogFileOptions options_;
    int file_ = -1;
    bool regular_ = false, torn_ = false;
    std::uintmax_t size_ = 0;
    std::chrono::steady_clock::time_point next_try_{}, next_turn_{};
    std::string problem_;
};

// Where log() writes from now on; the same options again change nothing.
void log_to(const LogFileOptions&);
// After somebody else has moved the file away.
void reopen_log();

}  // namespace base

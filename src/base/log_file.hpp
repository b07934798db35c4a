// SPDX-License-Identifier: AGPL-3.0-or-later
// A log file with rotation: a full file becomes NAME.1 and the oldest is deleted. Lines that cannot be
// written there are left to the caller: a full disk or a missing folder blocks nobody.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace base {

struct LogFileOptions {
    std::filesystem::path file;                 // empty: no file, lines go to stderr
    std::uintmax_t most_bytes = 0;              // of one file; 0: rotation is done externally
    int files = 1;                              // including this one: NAME, NAME.1 …
    std::chrono::milliseconds try_again{1000};  // after it could not be opened

    bool operator==(const LogFileOptions&) const = default;
};

class LogFile {
public:
    explicit LogFile(LogFileOptions);
    ~LogFile();
    LogFile(const LogFile&) = delete;

    // Writes the line and a newline. False: it is not in the file, or only in part.
    bool write(std::string_view line);
    // Opens the file that has the name now, after the old one was moved away.
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

// Sets where log() writes; does nothing if the options are unchanged.
void log_to(const LogFileOptions&);
// Call after another program has moved the file away.
void reopen_log();

}  // namespace base

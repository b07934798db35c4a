// SPDX-License-Identifier: AGPL-3.0-or-later
// spdlog only outputs the lines; they are formatted here, because its patterns escape nothing.
#include "base/log.hpp"

#include "base/json.hpp"
#include "base/log_file.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>

namespace base {

namespace {

std::atomic<bool> as_json = false;

// The log file, if there is one, and the number of lines it could not take.
struct Place {
    std::mutex mutex;
    LogFileOptions options;
    std::unique_ptr<LogFile> file;
    std::uint64_t elsewhere = 0;  // lines since the file stopped taking them
};

Place& place() {
    static auto* made = new Place;  // never destroyed: lines are written until the very end
    return *made;
}

spdlog::logger& logger() {
    static auto made = [] {
        auto logger =
            std::make_shared<spdlog::logger>("dunlin", std::make_shared<spdlog::sinks::stderr_sink_mt>());
        logger->set_pattern("%v");
        return logger;
    }();
    return *made;
}

spdlog::level::level_enum level_of(LogLevel level) {
    switch (level) {
        case LogLevel::debug: return spdlog::level::debug;
        case LogLevel::info: return spdlog::level::info;
        case LogLevel::warning: return spdlog::level::warn;
        case LogLevel::error: return spdlog::level::err;
    }
    return spdlog::level::info;
}

std::string_view word(LogLevel level) {
    switch (level) {
        case LogLevel::debug: return "debug";
        case LogLevel::info: return "info";
        case LogLevel::warning: return "warning";
        case LogLevel::error: return "error";
    }
    return "info";
}

std::string line_of(LogLevel level, std::string_view sentence, LogFields fields) {
    auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::system_clock::now().time_since_epoch()
    );
    std::string line;
    if (as_json) {
        line = "{\"time\":\"" + to_string(Time{now.count()}) + "\",\"level\":\"" + std::string(word(level)) +
               "\",\"message\":";
        json::write(line, sentence);
        for (auto [name, value] : fields) {
            line += ',';
            json::write(line, name);
            line += ':';
            json::write(line, value);
        }
        line += '}';
    } else {
        line = to_string(Time{now.count()}) + " " + std::string(word(level)) + ": ";
        for (char c : sentence) line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        for (auto [name, value] : fields) {
            line += ' ';
            line += name;
            line += '=';
            json::write(line, value);
        }
    }
    return line;
}

void to_stderr(LogLevel level, const std::string& line) { logger().log(level_of(level), "{}", line); }

// Returns true if the file took the line. A problem is reported once on stderr, and its end once in the file.
bool to_file(const std::string& line) {
    auto& at = place();
    const std::lock_guard lock(at.mutex);
    if (!at.file) return false;
    if (at.file->write(line)) {
        if (const auto lines = std::exchange(at.elsewhere, 0); lines > 0)
            at.file->write(line_of(
                LogLevel::warning,
                "the log file is written again; what came meanwhile stands on stderr",
                {{"lines", std::to_string(lines)}}
            ));
        return true;
    }
    if (at.elsewhere++ == 0)
        to_stderr(
            LogLevel::warning,
            line_of(
                LogLevel::warning,
                "the log file is not written; lines go to stderr until it is",
                {{"file", at.options.file.string()}, {"cause", at.file->problem()}}
            )
        );
    return false;
}

}  // namespace

void set_log(LogLevel at_least, bool json) {
    logger().set_level(level_of(at_least));
    as_json = json;
}

bool logs(LogLevel level) { return logger().should_log(level_of(level)); }

void log(LogLevel level, std::string_view sentence, LogFields fields) {
    if (!logs(level)) return;
    const auto line = line_of(level, sentence, fields);
    if (!to_file(line)) to_stderr(level, line);
}

void log_to(const LogFileOptions& options) {
    auto& at = place();
    const std::lock_guard lock(at.mutex);
    if (options == at.options) return;
    at.options = options;
    at.elsewhere = 0;
    at.file = options.file.empty() ? nullptr : std::make_unique<LogFile>(options);
}

void reopen_log() {
    auto& at = place();
    const std::lock_guard lock(at.mutex);
    if (at.file) at.file->reopen();
}

}  // namespace base

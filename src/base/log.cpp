// SPDX-License-Identifier: AGPL-3.0-or-later
// spdlog moves the lines; the line itself is made here, because its patterns escape nothing.
#include "base/log.hpp"

#include "base/json.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <atomic>
#include <chrono>

namespace base {

namespace {

std::atomic<bool> as_json = false;

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

}  // namespace

void set_log(LogLevel at_least, bool json) {
    logger().set_level(level_of(at_least));
    as_json = json;
}

bool logs(LogLevel level) { return logger().should_log(level_of(level)); }

void log(LogLevel level, std::string_view sentence, LogFields fields) {
    if (!logs(level)) return;
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
    logger().log(level_of(level), "{}", line);
}

}  // namespace base

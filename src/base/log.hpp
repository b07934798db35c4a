// SPDX-License-Identifier: AGPL-3.0-or-later
// Structured log lines: a sentence and fields, as text or as one JSON object per line, to stderr. Values are
// escaped, so untrusted input cannot forge a line.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace base {

enum class LogLevel { debug, info, warning, error };

using LogFields = std::initializer_list<std::pair<std::string_view, std::string_view>>;

void set_log(LogLevel at_least, bool json);
bool logs(LogLevel);
void log(LogLevel, std::string_view sentence, LogFields fields = {});

inline void log_debug(std::string_view s, LogFields f = {}) { log(LogLevel::debug, s, f); }
inline void log_info(std::string_view s, LogFields f = {}) { log(LogLevel::info, s, f); }
inline void log_warning(std::string_view s, LogFields f = {}) { log(LogLevel::warning, s, f); }
inline void log_error(std::string_view s, LogFields f = {}) { log(LogLevel::error, s, f); }

}  // namespace base

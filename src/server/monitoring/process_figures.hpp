// SPDX-License-Identifier: AGPL-3.0-or-later
// Resource usage of this process, from /proc.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace server {

struct ProcessFigures {
    double cpu_seconds = 0;
    double started_at = 0;  // seconds since 1970
    std::uint64_t resident_bytes = 0, open_files = 0, open_files_at_most = 0;
};

ProcessFigures process_figures();

// The process id, for /proc, of the server that uses this data folder, or "self" if none runs.
std::string process_of(const std::filesystem::path& data);
// How many files a process can open, including what it may raise itself; UINT64_MAX: unlimited.
std::uint64_t most_files(const std::string& process);

// Space available to non-root users; nullopt if it cannot be determined.
std::optional<std::uint64_t> free_bytes(const std::filesystem::path& folder);

}  // namespace server

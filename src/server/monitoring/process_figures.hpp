// SPDX-License-Identifier: AGPL-3.0-or-later
// What this process takes of its machine, as /proc tells.
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

// The server that has this data folder, as /proc calls it, or "self" where none runs.
std::string process_of(const std::filesystem::path& data);
// The file itself, whatever it is called now.
struct FileId {
    std::uint64_t disk = 0, number = 0;
    friend bool operator==(const FileId&, const FileId&) = default;
};
std::optional<FileId> file_id(const std::filesystem::path&);  // nothing: there is none, or it is not ours to see
bool has_open(const std::string& process, FileId);            // false also where that process is another user's
// How many files a process may have open, as far as it can raise that itself; UINT64_MAX: as many as it likes.
std::uint64_t most_files(const std::string& process);

// Free for those who are not root; nothing when the folder cannot be asked.
std::optional<std::uint64_t> free_bytes(const std::filesystem::path& folder);

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
// Files of a backup: written completely or not at all, and lines with a checksum against flipped bits.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace backup {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// The backup is damaged; the message names the file.
struct Broken : std::runtime_error {
    using runtime_error::runtime_error;
};
// The target cannot be read or written at the moment.
struct Away : std::runtime_error {
    using runtime_error::runtime_error;
};
[[noreturn]] void throw_away(
    const fs::path&, const char* what
);  // "… cannot be written (No space left on device)"

std::string contents(const fs::path&);  // throws Broken when it cannot be read
std::string part_of(const fs::path&, std::uint64_t offset, std::size_t bytes);  // throws Away
// The suffix of a file while it is being written; a crash may leave such a file.
constexpr std::string_view unfinished = ".part";
// Writes under a temporary name first, so that nobody sees a partial file. `keep`: syncs the file before it
// is renamed, and then the name.
void put(const fs::path&, std::string_view bytes, bool keep = true);  // throws Away
void copy_whole(const fs::path& from, const fs::path& to);            // the same, copying a file
// Writes at that offset and truncates the file after it. Throws Broken when the file is shorter than the
// offset.
void write_at(const fs::path&, std::uint64_t offset, std::string_view bytes);
void append(const fs::path&, std::string_view bytes, std::uint64_t offset);  // the same without syncing
void make_folder(const fs::path&, bool keep = true);
void keep_file(const fs::path&);
void keep_names(const fs::path& folder);  // syncs the directory
void keep_all(const fs::path& folder);    // syncs its whole file system

std::string sha256_of(const fs::path&);

// "words 1f2e3d4c": the words, and the first digits of their hash.
std::string checked_line(std::string_view words);
std::optional<std::string> words_of(std::string_view line);
std::vector<std::string> split(std::string_view text, char at);

// 20261123T052611.123Z: names sort by time and are valid on every file system.
std::string name_of_time(std::int64_t ms);
std::optional<std::int64_t> time_of_name(std::string_view);

}  // namespace backup

// SPDX-License-Identifier: AGPL-3.0-or-later
// Files of a backup: written whole or not at all, and lines that show a flipped bit.
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

// The backup is not what it should be; the sentence names the file.
struct Broken : std::runtime_error {
    using runtime_error::runtime_error;
};
// Nothing can be read or written there now.
struct Away : std::runtime_error {
    using runtime_error::runtime_error;
};
[[noreturn]] void throw_away(
    const fs::path&, const char* what
);  // "… cannot be written (No space left on device)"

std::string contents(const fs::path&);  // throws Broken when it cannot be read
std::string part_of(const fs::path&, std::uint64_t offset, std::size_t bytes);  // throws Away
// The end of its name while a file is written; a crash may leave one.
constexpr std::string_view unfinished = ".part";
// Under another name first, so that nobody sees a half of it. `keep` has the disk keep it before it gets its name, and then that.
void put(const fs::path&, std::string_view bytes, bool keep = true);  // throws Away
void copy_whole(const fs::path& from, const fs::path& to);            // the same, of a file
// At that place of the file; what stood behind it is cut off. Throws Broken when the file does not reach to there.
void write_at(const fs::path&, std::uint64_t offset, std::string_view bytes);
void append(
    const fs::path&, std::string_view bytes, std::uint64_t offset
);  // the same without having the disk keep it
void make_folder(const fs::path&, bool keep = true);
void keep_file(const fs::path&);
void keep_names(const fs::path& folder);  // has the disk keep the names of the files in it
void keep_all(const fs::path& folder);    // has the disk keep everything of its file system

std::string sha256_of(const fs::path&);

// "words 1f2e3d4c": the words and the beginning of their hash.
std::string checked_line(std::string_view words);
std::optional<std::string> words_of(std::string_view line);
std::vector<std::string> split(std::string_view text, char at);

// 20261123T052611.123Z, so that names sort as times do and stand on any file system.
std::string name_of_time(std::int64_t ms);
std::optional<std::int64_t> time_of_name(std::string_view);

}  // namespace backup

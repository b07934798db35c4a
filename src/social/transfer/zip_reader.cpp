// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/errors.hpp"
#include "social/transfer/zip.hpp"

#include <zip.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <vector>

namespace transfer {

namespace fs = std::filesystem;

namespace {

// libzip holds a few hundred bytes for each. A directory of the narrow form may hold more than its number says, and is read
// to its end all the same; a member takes 46 bytes at least.
constexpr std::uint64_t most_members = 400'000;
constexpr std::uint64_t most_directory = 128 << 20, most_narrow = 46 * most_members;

std::uint64_t number(std::span<const char> from, std::size_t at, std::size_t bytes) {
    std::uint64_t out = 0;
    for (std::size_t i = bytes; i-- > 0;) out = out << 8 | static_cast<unsigned char>(from[at + i]);
    return out;
}

void check(std::uint64_t members, std::uint64_t bytes, std::uint64_t most_bytes) {
    if (members > most_members || bytes > most_bytes) throw base::Invalid("The archive holds too many files");
}

// What the ends of the file that could be its directory's say, before libzip reads it into memory. Of several it takes the
// one that it finds best, so each must be within the bounds.
void check_directory(const fs::path& file) {
    constexpr std::size_t end_bytes = 22, locator_bytes = 20, wide_bytes = 56, longest_comment = 65'535;
    constexpr std::uint32_t end_mark = 0x06054b50, locator_mark = 0x07064b50, wide_mark = 0x06064b50;
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    const auto size = static_cast<std::uint64_t>(std::max<std::streamoff>(in.tellg(), 0));
    std::vector<char> tail(std::min<std::uint64_t>(size, longest_comment + end_bytes + locator_bytes));
    in.seekg(static_cast<std::streamoff>(size - tail.size()));
    in.read(tail.data(), static_cast<std::streamsize>(tail.size()));
    bool found = false;
    for (std::size_t at = 0; at + end_bytes <= tail.size(); ++at) {
        if (number(tail, at, 4) != end_mark) continue;
        found = true;
        if (at < locator_bytes || number(tail, at - locator_bytes, 4) != locator_mark) {
            check(number(tail, at + 10, 2), number(tail, at + 12, 4), most_narrow);
            continue;
        }
        const auto wide = number(tail, at - locator_bytes + 8, 8);
        if (wide > size || size - wide < wide_bytes) throw base::Invalid("The archive is damaged");
        std::array<char, wide_bytes> record{};
        in.seekg(static_cast<std::streamoff>(wide));
        in.read(record.data(), record.size());
        if (number(record, 0, 4) != wide_mark) throw base::Invalid("The archive is damaged");
        check(std::max(number(record, 24, 8), number(record, 32, 8)), number(record, 40, 8), most_directory);
    }
    if (!found) throw base::Invalid("The file is no zip archive");
}

zip* opened(const fs::path& file) {
    check_directory(file);
    auto* out = zip_open(file.c_str(), ZIP_RDONLY, nullptr);
    if (!out) throw base::Invalid("The archive is damaged");
    return out;
}

}  // namespace

ZipReader::ZipReader(const fs::path& file) : zip_(opened(file), zip_discard) {}

ZipReader::Number ZipReader::size() const {
    return static_cast<Number>(std::max<zip_int64_t>(zip_get_num_entries(zip_.get(), 0), 0));
}

std::string ZipReader::name(Number number) const {
    const auto* name = zip_get_name(zip_.get(), number, ZIP_FL_ENC_GUESS);
    if (!name) throw base::Invalid("The archive is damaged");
    return name;
}

std::optional<ZipReader::Number> ZipReader::find(const std::string& name) const {
    const auto at = zip_name_locate(zip_.get(), name.c_str(), ZIP_FL_ENC_GUESS);
    return at < 0 ? std::nullopt : std::optional(static_cast<Number>(at));
}

std::optional<std::string> ZipReader::folder_of(const std::string& name) const {
    const auto at = zip_name_locate(zip_.get(), name.c_str(), ZIP_FL_NODIR);
    if (at < 0) return std::nullopt;
    std::string whole = zip_get_name(zip_.get(), static_cast<Number>(at), ZIP_FL_ENC_GUESS);
    return whole.substr(0, whole.size() - name.size());
}

ZipReader::Member::Member(zip_file* file, std::uint64_t most) : file_(file, zip_fclose), left_(most) {
    if (!file) throw base::Invalid("The archive is damaged");
}

std::size_t ZipReader::Member::read(std::span<char> into) {
    const auto got = zip_fread(file_.get(), into.data(), into.size());
    if (got < 0) throw base::Invalid("The archive is damaged");
    const auto bytes = static_cast<std::uint64_t>(got);
    if (bytes > left_) throw base::Invalid("A file of it is too large");
    left_ -= bytes;
    return bytes;
}

ZipReader::Member ZipReader::open(Number number, std::uint64_t most_bytes) const {
    zip_stat_t stat;
    if (zip_stat_index(zip_.get(), number, 0, &stat) != 0) throw base::Invalid("The archive is damaged");
    const bool known = stat.comp_method == ZIP_CM_STORE || stat.comp_method == ZIP_CM_DEFLATE;
    if (!known || stat.encryption_method != ZIP_EM_NONE) throw base::Invalid("The archive is damaged");
    if (stat.size > most_bytes) throw base::Invalid("A file of it is too large");
    return Member(zip_fopen_index(zip_.get(), number, 0), most_bytes);
}

std::string ZipReader::text(Number number, std::uint64_t most_bytes) const {
    auto member = open(number, most_bytes);
    std::string out;
    std::array<char, 16'384> some;
    while (auto bytes = member.read(some)) out.append(some.data(), bytes);
    return out;
}

void ZipReader::unpack(Number number, const fs::path& to, std::uint64_t most_bytes) const {
    auto member = open(number, most_bytes);
    std::ofstream out(to, std::ios::binary | std::ios::trunc);
    out.exceptions(std::ios::badbit | std::ios::failbit);
    std::array<char, 65'536> some;
    while (auto bytes = member.read(some)) out.write(some.data(), static_cast<std::streamsize>(bytes));
}

}  // namespace transfer

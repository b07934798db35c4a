// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/emojis/tar.hpp"

#include "config/config.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>

namespace server {

namespace fs = std::filesystem;

namespace {

// Archives are read into memory; this is enough for a thousand pictures of 256 KiB.
constexpr std::size_t most_bytes = 256 << 20;

constexpr std::size_t block = 512;

[[noreturn]] void refuse_damaged() { throw Refused("The archive is damaged"); }
[[noreturn]] void refuse_large() {
    throw Refused("The archive holds more than 256 MB; unpack it and name the folder");
}

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

// Unpacks one gzip member, which ends at `read`; a file may contain several in a row.
bool unpack(std::string_view from, std::string& into, std::size_t& written, std::size_t& read) {
    static const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> by(
        libdeflate_alloc_decompressor(), libdeflate_free_decompressor
    );
    if (!by) throw std::bad_alloc();
    std::size_t made = 0;
    const auto result = libdeflate_gzip_decompress_ex(
        by.get(), from.data(), from.size(), into.data() + written, into.size() - written, &read, &made
    );
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE) return false;
    if (result != LIBDEFLATE_SUCCESS) refuse_damaged();
    written += made;
    return true;
}

std::string gunzip(std::string_view from) {
    std::string into(std::clamp<std::size_t>(from.size() * 2, 1 << 16, most_bytes), '\0');
    std::size_t written = 0, read = 0;
    while (is_gzip(from)) {
        if (unpack(from, into, written, read)) {
            from.remove_prefix(read);
            continue;
        }
        if (into.size() == most_bytes) refuse_large();
        into.resize(std::min(into.size() * 2, most_bytes));
    }
    into.resize(written);
    return into;
}

// Parses an octal field, terminated by a blank or a zero byte.
std::optional<std::size_t> number(std::string_view field) {
    std::size_t out = 0;
    field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
    for (char c : field) {
        if (c == '\0' || c == ' ') break;
        if (c < '0' || c > '7') return std::nullopt;
        out = out * 8 + static_cast<std::size_t>(c - '0');
    }
    return out;
}

std::string text(std::string_view field) { return std::string(field.substr(0, field.find('\0'))); }

std::string name_of(std::string_view header) {
    auto name = text(header.substr(0, 100));
    const auto prefix = header.substr(257, 5) == "ustar" ? text(header.substr(345, 155)) : std::string();
    return prefix.empty() ? name : prefix + "/" + name;
}

}  // namespace

bool is_tar(std::string_view beginning) {
    return is_gzip(beginning) || (beginning.size() >= block && beginning.substr(257, 5) == "ustar");
}

Tar::Tar(const fs::path& file) {
    std::error_code unknown;
    if (fs::file_size(file, unknown) > most_bytes) refuse_large();
    std::ifstream in(file, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
    if (is_gzip(bytes_)) bytes_ = gunzip(bytes_);
}

std::vector<Tar::Member> Tar::files() const {
    std::vector<Member> out;
    std::string long_name;  // of the next member, as a GNU extension
    std::string_view rest = bytes_;
    while (rest.size() >= block && rest.front() != '\0') {
        const auto header = rest.substr(0, block);
        const auto size = number(header.substr(124, 12));
        rest.remove_prefix(block);
        if (!size || *size > rest.size()) refuse_damaged();
        const auto content = rest.substr(0, *size);
        rest.remove_prefix(std::min(rest.size(), (*size + block - 1) / block * block));
        const char kind = header[156];
        if (kind == 'L') {
            long_name = text(content);
            continue;
        }
        if (kind == '0' || kind == '\0')
            out.push_back({long_name.empty() ? name_of(header) : long_name, content});
        long_name.clear();
    }
    // An archive ends with an empty block; otherwise it was truncated.
    if (rest.empty()) refuse_damaged();
    return out;
}

}  // namespace server

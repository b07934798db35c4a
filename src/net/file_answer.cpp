// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/file_answer.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <optional>

#include "base/time.hpp"
#include "net/answer.hpp"

namespace net {

namespace {

struct Range {
    std::uint64_t offset = 0, length = 0;  // length 0: beyond the end of the file
};

std::string etag_of(const struct stat& file) {
    char text[64];
    std::snprintf(
        text,
        sizeof text,
        "\"%" PRIx64 "%08lx-%" PRIx64 "\"",
        static_cast<std::uint64_t>(file.st_mtim.tv_sec),
        static_cast<unsigned long>(file.st_mtim.tv_nsec),
        static_cast<std::uint64_t>(file.st_size)
    );
    return text;
}

// Weak comparison, over a list.
bool lists_etag(std::string_view list, std::string_view etag) {
    return list == "*" || list.find(etag) != list.npos;
}

bool unchanged(const FileConditions& asked, std::string_view etag, std::string_view modified) {
    if (!asked.if_none_match.empty()) return lists_etag(asked.if_none_match, etag);
    // Clients send back exactly the date they were given; any other date gets the file.
    return !asked.if_modified_since.empty() && asked.if_modified_since == modified;
}

std::optional<std::uint64_t> number(std::string_view text) {
    std::uint64_t value = 0;
    const auto end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    return read.ec == std::errc{} && read.ptr == end ? std::optional(value) : std::nullopt;
}

// nullopt: no range, several, or an invalid one: the whole file is sent.
std::optional<Range> range_of(std::string_view text, std::uint64_t size) {
    constexpr std::string_view unit = "bytes=";
    if (!text.starts_with(unit)) return std::nullopt;
    text.remove_prefix(unit.size());
    const auto dash = text.find('-');
    if (dash == text.npos) return std::nullopt;
    const auto first = number(text.substr(0, dash)), last = number(text.substr(dash + 1));
    if (dash == 0) {
        if (!last) return std::nullopt;
        const auto length = std::min(*last, size);
        return Range{size - length, length};
    }
    const bool open_ended = dash + 1 == text.size();
    if (!first || (!last && !open_ended) || (last && *last < *first)) return std::nullopt;
    if (*first >= size) return Range{};
    return Range{*first, std::min(last.value_or(size - 1), size - 1) - *first + 1};
}

}  // namespace

FilePart settle_file(http::Response& response, const FileConditions& asked) {
    FilePart part;
    part.file = Fd(::open(response.file->path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    response.file.reset();
    struct stat file{};
    if (!part.file || ::fstat(part.file.get(), &file) != 0 || !S_ISREG(file.st_mode)) {
        response = error_answer({404, "Record not found"});
        return {};
    }
    const auto etag = etag_of(file);
    const auto modified = base::http_date({static_cast<std::int64_t>(file.st_mtim.tv_sec) * 1000});
    response.headers.emplace_back("ETag", etag);
    response.headers.emplace_back("Last-Modified", modified);
    if (response.status == 200 && unchanged(asked, etag, modified)) {
        response.status = 304;
        return {};
    }
    part.length = static_cast<std::uint64_t>(file.st_size);
    response.headers.emplace_back("Accept-Ranges", "bytes");
    const auto total = "/" + std::to_string(part.length);
    const auto range = response.status == 200 ? range_of(asked.range, part.length) : std::nullopt;
    if (range && range->length == 0) {
        response.status = 416;
        response.headers.emplace_back("Content-Range", "bytes *" + total);
        return {};
    }
    if (range) {
        part.offset = range->offset;
        part.length = range->length;
        const auto last = part.offset + part.length - 1;
        response.status = 206;
        response.headers.emplace_back(
            "Content-Range", "bytes " + std::to_string(part.offset) + "-" + std::to_string(last) + total
        );
    }
    return part.length == 0 ? FilePart{} : std::move(part);
}

}  // namespace net

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "sandbox/worker/png.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "sandbox/worker/codecs.hpp"

namespace worker {
namespace {

constexpr std::size_t signature = 8, around_data = 12;  // length, name, checksum

struct Free {
    void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
    void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};

[[noreturn]] void fail() { throw Refusal(Reason::crashed, "a PNG cannot be compressed"); }

std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return value;
}

void append_big_endian(std::string& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
}

void append_chunk(std::string& out, std::string_view name, std::string_view data) {
    append_big_endian(out, static_cast<std::uint32_t>(data.size()));
    const std::size_t begin = out.size();
    out.append(name).append(data);
    append_big_endian(out, libdeflate_crc32(0, out.data() + begin, out.size() - begin));
}

// nullopt if it is not valid zlib data, is longer than `size` bytes, or is followed by anything.
std::optional<std::string> inflated(std::string_view packed, std::size_t size) {
    const std::unique_ptr<libdeflate_decompressor, Free> inflater(libdeflate_alloc_decompressor());
    if (!inflater) fail();
    std::string bytes(size, '\0');
    std::size_t read = 0, written = 0;
    const auto result = libdeflate_zlib_decompress_ex(
        inflater.get(), packed.data(), packed.size(), bytes.data(), size, &read, &written
    );
    if (result != LIBDEFLATE_SUCCESS || read != packed.size()) return {};
    bytes.resize(written);
    return bytes;
}

std::string deflated(std::string_view bytes) {
    constexpr int level = 4;
    const std::unique_ptr<libdeflate_compressor, Free> deflater(libdeflate_alloc_compressor(level));
    if (!deflater) fail();
    std::string packed(libdeflate_zlib_compress_bound(deflater.get(), bytes.size()), '\0');
    packed.resize(
        libdeflate_zlib_compress(deflater.get(), bytes.data(), bytes.size(), packed.data(), packed.size())
    );
    if (packed.empty()) fail();
    return packed;
}

// https://www.w3.org/TR/png-3/#11IHDR
struct Header {
    std::uint32_t width = 0, height = 0;
    int depth = 0, colours = 0;
    bool plain = false;  // the standard compression and filter method, not interlaced
};

Header header_of(std::string_view data) {
    const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(data[at]); };
    return {
        big_endian(data, 0),
        big_endian(data, 4),
        byte(8),
        byte(9),
        byte(10) == 0 && byte(11) == 0 && byte(12) == 0
    };
}

enum Colours { grey = 0, rgb = 2, palette = 3, grey_and_alpha = 4, rgb_and_alpha = 6 };

// Samples per pixel; 0: invalid, or deeper than we keep.
int samples(const Header& header) {
    const bool any_depth = header.depth == 1 || header.depth == 2 || header.depth == 4 || header.depth == 8;
    switch (header.colours) {
        case grey:
        case palette: return any_depth ? 1 : 0;
        case rgb: return header.depth == 8 ? 3 : 0;
        case grey_and_alpha: return header.depth == 8 ? 2 : 0;
        case rgb_and_alpha: return header.depth == 8 ? 4 : 0;
        default: return 0;
    }
}

struct Parts {
    std::string_view header, palette, transparency;
    std::string rows;
};

// Ignores everything after IEND. nullopt if a part occurs twice or changes how the rest is displayed.
std::optional<Parts> parts_of(std::string_view png) {
    Parts parts;
    for (std::size_t at = signature; at + around_data <= png.size();) {
        const std::size_t length = big_endian(png, at);
        if (length > png.size() - at - around_data) return {};
        const std::string_view name = png.substr(at + 4, 4), data = png.substr(at + 8, length);
        if (name == "IEND") return parts;
        if (name == "iCCP" || name == "eXIf" || name == "cICP") return {};
        if (name == "IDAT") {
            parts.rows += data;
        } else if (name == "IHDR" || name == "PLTE" || name == "tRNS") {
            auto& part = name == "IHDR" ? parts.header : name == "PLTE" ? parts.palette : parts.transparency;
            if (!part.empty() || !parts.rows.empty()) return {};
            part = data;
        }
        at += length + around_data;
    }
    return {};
}

bool fit(const Header& header, const Parts& parts) {
    constexpr std::size_t most_colours = 256;
    const std::size_t colours = parts.palette.size() / 3, transparent = parts.transparency.size();
    switch (header.colours) {
        case palette:
            return parts.palette.size() % 3 == 0 && colours >= 1 && colours <= most_colours &&
                   transparent <= colours;
        case grey: return transparent == 0 || transparent == 2;
        case rgb: return transparent == 0 || transparent == 6;
        default: return transparent == 0;
    }
}

bool are_rows(std::string_view bytes, std::size_t row) {
    constexpr char last_filter = 4;
    for (std::size_t at = 0; at < bytes.size(); at += row)
        if (bytes[at] < 0 || bytes[at] > last_filter) return false;
    return true;
}

}  // namespace

std::string compressed_png(std::string_view png) {
    std::string before(png.substr(0, signature)), stored, after;
    for (std::size_t at = signature; at + around_data <= png.size();) {
        const std::size_t length = big_endian(png, at);
        const std::string_view name = png.substr(at + 4, 4);
        if (name == "IDAT") stored += png.substr(at + 8, length);
        else (stored.empty() ? before : after) += png.substr(at, length + around_data);
        at += length + around_data;
    }
    // Stored data never gets larger when unpacked.
    const auto rows = inflated(stored, stored.size());
    if (!rows) fail();
    append_chunk(before, "IDAT", deflated(*rows));
    return before + after;
}

std::optional<std::string> with_rows_kept(std::string_view png, sandbox::Size size) {
    constexpr std::size_t header_bytes = 13;
    const auto parts = parts_of(png);
    if (!parts || parts->header.size() != header_bytes) return {};
    const auto header = header_of(parts->header);
    const int each = samples(header);
    const bool same_size = header.width == static_cast<std::uint32_t>(size.width) &&
                           header.height == static_cast<std::uint32_t>(size.height);
    if (!same_size || !header.plain || each == 0 || !fit(header, *parts)) return {};
    const std::size_t row =
        1 + (std::size_t{header.width} * static_cast<std::size_t>(each * header.depth) + 7) / 8;
    const std::size_t all = row * header.height;
    if (parts->rows.size() > all - all / 8) return {};
    const auto rows = inflated(parts->rows, all);
    if (!rows || rows->size() != all || !are_rows(*rows, row)) return {};

    std::string out(png.substr(0, signature));
    append_chunk(out, "IHDR", parts->header);
    if (header.colours == palette) append_chunk(out, "PLTE", parts->palette);
    if (!parts->transparency.empty()) append_chunk(out, "tRNS", parts->transparency);
    append_chunk(out, "IDAT", parts->rows);
    append_chunk(out, "IEND", {});
    return out;
}

}  // namespace worker

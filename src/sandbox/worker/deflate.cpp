// SPDX-License-Identifier: AGPL-3.0-or-later
#include "sandbox/worker/deflate.hpp"

#include <libdeflate.h>

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

std::string inflated(std::string_view stored, std::size_t size) {
    const std::unique_ptr<libdeflate_decompressor, Free> inflater(libdeflate_alloc_decompressor());
    std::string bytes(size, '\0');
    std::size_t actual = 0;
    if (!inflater || libdeflate_zlib_decompress(
                         inflater.get(), stored.data(), stored.size(), bytes.data(), size, &actual
                     ) != LIBDEFLATE_SUCCESS)
        fail();
    bytes.resize(actual);
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
    // What is stored only is never larger when it is unpacked.
    append_chunk(before, "IDAT", deflated(inflated(stored, stored.size())));
    return before + after;
}

}  // namespace worker

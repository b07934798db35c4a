// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/encoding/encoding.hpp"

#include <brotli/encode.h>
#include <libdeflate.h>

namespace http {

namespace {

struct Effort {
    int gzip, brotli;
};
// Where more costs more than it saves, for an answer that is sent once, and for one that is sent many times. A home page of
// 46 kB: gzip 4.5 kB in 0.15 ms, 4.4 in 0.34; brotli 3.9 in 0.35, 3.8 in 0.41.
constexpr Effort quick{4, 5}, lasting{9, 6};

struct End {
    void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
};
using Compressor = std::unique_ptr<libdeflate_compressor, End>;

std::string gzip(std::string_view body, libdeflate_compressor* by) {
    if (!by) return {};
    std::string out(libdeflate_gzip_compress_bound(by, body.size()), '\0');
    out.resize(libdeflate_gzip_compress(by, body.data(), body.size(), out.data(), out.size()));
    return out;
}

// Each thread keeps the tables of the quick one.
std::string gzip(std::string_view body, bool thorough) {
    if (thorough) return gzip(body, Compressor(libdeflate_alloc_compressor(lasting.gzip)).get());
    thread_local Compressor one(libdeflate_alloc_compressor(quick.gzip));
    return gzip(body, one.get());
}

std::string brotli(std::string_view body, bool thorough) {
    auto size = BrotliEncoderMaxCompressedSize(body.size());
    std::string out(size, '\0');
    bool done = size > 0 && BrotliEncoderCompress(
                                thorough ? lasting.brotli : quick.brotli,
                                BROTLI_DEFAULT_WINDOW,
                                BROTLI_MODE_TEXT,
                                body.size(),
                                reinterpret_cast<const std::uint8_t*>(body.data()),
                                &size,
                                reinterpret_cast<std::uint8_t*>(out.data())
                            ) == BROTLI_TRUE;
    out.resize(done ? size : 0);
    return out;
}

}  // namespace

std::string compressed(std::string_view body, Encoding encoding, bool thorough) {
    return encoding == Encoding::gzip ? gzip(body, thorough) : brotli(body, thorough);
}

}  // namespace http

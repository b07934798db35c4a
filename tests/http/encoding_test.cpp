// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/answer_headers.hpp"

#include <gtest/gtest.h>

#include <brotli/decode.h>
#include <libdeflate.h>

namespace {

http::Request asking(const std::string& encodings) {
    http::Request request;
    if (!encodings.empty()) request.headers.emplace_back("Accept-Encoding", encodings);
    return request;
}

http::Response answer(std::size_t size, const std::string& type = "application/json; charset=utf-8") {
    http::Response response;
    response.content_type = type;
    while (response.body.size() < size)
        response.body += "{\"id\":\"" + std::to_string(response.body.size()) + "\"},";
    response.body.resize(size);
    return response;
}

std::string inflated(const std::string& bytes, std::size_t size) {
    std::string out(size, '\0');
    auto* by = libdeflate_alloc_decompressor();
    libdeflate_gzip_decompress(by, bytes.data(), bytes.size(), out.data(), out.size(), &size);
    libdeflate_free_decompressor(by);
    out.resize(size);
    return out;
}

std::string unbrotlied(const std::string& bytes, std::size_t size) {
    std::string out(size, '\0');
    BrotliDecoderDecompress(
        bytes.size(),
        reinterpret_cast<const std::uint8_t*>(bytes.data()),
        &size,
        reinterpret_cast<std::uint8_t*>(out.data())
    );
    out.resize(size);
    return out;
}

TEST(Encoding, is_taken_as_the_client_says) {
    for (auto yes : {"gzip", "br, gzip", "deflate,gzip;q=0.1", "GZIP", "gzip;q=1.0"})
        EXPECT_TRUE(http::accepts_encoding(asking(yes), "gzip")) << yes;
    for (auto no : {"", "br", "gzip;q=0", "gzip; q=0.000", "x-gzip", "gzipped", "identity"})
        EXPECT_FALSE(http::accepts_encoding(asking(no), "gzip")) << no;
}

TEST(Encoding, is_for_texts_of_a_kilobyte_that_hold_no_secret) {
    EXPECT_TRUE(http::is_compressible(answer(1024)));
    EXPECT_FALSE(http::is_compressible(answer(1023)));
    EXPECT_TRUE(http::is_compressible(answer(2000, "text/html; charset=utf-8")));
    EXPECT_TRUE(http::is_compressible(answer(2000, "application/activity+json; charset=utf-8")));
    EXPECT_FALSE(http::is_compressible(answer(2000, "image/png")));
    EXPECT_FALSE(http::is_compressible(answer(2000, "text/event-stream")));
    auto form = answer(2000, "text/html; charset=utf-8");
    form.compressible = false;
    EXPECT_FALSE(http::is_compressible(form));
}

TEST(Encoding, gives_the_same_bytes_back) {
    auto plain = answer(40'000), zipped = plain, brotlied = plain, untouched = plain;
    http::compress(zipped, asking("gzip"));
    http::compress(brotlied, asking("br"));
    http::compress(untouched, asking(""));
    EXPECT_EQ(zipped.header("Content-Encoding"), "gzip");
    EXPECT_LT(zipped.body.size(), plain.body.size() / 3);
    EXPECT_EQ(inflated(zipped.body, plain.body.size()), plain.body);
    EXPECT_EQ(brotlied.header("Content-Encoding"), "br");
    EXPECT_EQ(unbrotlied(brotlied.body, plain.body.size()), plain.body);
    EXPECT_EQ(untouched.body, plain.body);
    EXPECT_EQ(untouched.header("Content-Encoding"), "");
}

}  // namespace

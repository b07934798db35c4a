// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/encoding/encoding.hpp"

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
    http::CompressedAnswers answers;
    http::compress(zipped, asking("gzip"), answers);
    http::compress(brotlied, asking("br"), answers);
    http::compress(untouched, asking(""), answers);
    EXPECT_EQ(zipped.header("Content-Encoding"), "gzip");
    EXPECT_LT(zipped.body.size(), plain.body.size() / 3);
    EXPECT_EQ(inflated(zipped.body, plain.body.size()), plain.body);
    EXPECT_EQ(brotlied.header("Content-Encoding"), "br");
    EXPECT_EQ(unbrotlied(brotlied.body, plain.body.size()), plain.body);
    EXPECT_EQ(untouched.body, plain.body);
    EXPECT_EQ(untouched.header("Content-Encoding"), "");
}

TEST(Encoding, what_comes_again_is_kept_in_a_smaller_form_and_in_the_smallest_once_it_comes_often) {
    http::CompressedAnswers answers;
    const auto body = answer(40'000).body;
    for (auto [encoding, back] :
         {std::pair(http::Encoding::gzip, &inflated), std::pair(http::Encoding::br, &unbrotlied)}) {
        const auto before = answers.bytes();
        const auto first = answers.compress(body, encoding);
        EXPECT_EQ(answers.bytes(), before) << "what came once is kept";
        const auto second = answers.compress(body, encoding);
        EXPECT_EQ(answers.bytes(), before + body.size() + second.size());
        EXPECT_LE(second.size(), first.size());
        EXPECT_EQ(answers.compress(body, encoding), second);
        EXPECT_EQ(answers.bytes(), before + body.size() + second.size()) << "is kept twice";
        for (int asked = 3; asked + 1 < http::CompressedAnswers::often; ++asked)
            EXPECT_EQ(answers.compress(body, encoding), second);
        const auto often = answers.compress(body, encoding);
        EXPECT_LT(often.size(), second.size());
        EXPECT_EQ(answers.bytes(), before + body.size() + often.size());
        for (int more = 0; more < 2 * http::CompressedAnswers::often; ++more)
            EXPECT_EQ(answers.compress(body, encoding), often);
        for (const auto& one : {first, second, often}) EXPECT_EQ(back(one, body.size()), body);
    }
}

TEST(Encoding, no_more_is_kept_than_there_is_room_for_and_what_is_asked_for_stays) {
    http::CompressedAnswers answers;
    auto numbered = [](int n) { return std::to_string(n) + answer(200'000).body; };
    const auto often = numbered(-1);
    answers.compress(often, http::Encoding::gzip);
    const auto small = answers.compress(often, http::Encoding::gzip);
    for (int n = 0; n < 200; ++n) {
        const auto body = numbered(n);
        for (int turn = 0; turn < 2; ++turn)
            EXPECT_EQ(inflated(answers.compress(body, http::Encoding::gzip), body.size()), body);
        EXPECT_LE(answers.bytes(), http::CompressedAnswers::most_bytes);
        EXPECT_LE(answers.compress(often, http::Encoding::gzip).size(), small.size()) << "it is not kept";
    }
    const auto full = answers.bytes();
    EXPECT_GT(full, http::CompressedAnswers::most_bytes / 4);
    const auto large = answer(http::CompressedAnswers::largest + 1).body;
    for (int turn = 0; turn < 3; ++turn) answers.compress(large, http::Encoding::gzip);
    EXPECT_EQ(answers.bytes(), full) << "a body that is too large is kept";
}

}  // namespace

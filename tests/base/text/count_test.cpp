// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/count.hpp"

#include <gtest/gtest.h>
#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include <random>
#include <string>

#include "base/text/utf8.hpp"

namespace {

using namespace base::text;

// The reference: ICU's own iterator.
std::size_t graphemes_by_icu(const std::string& text) {
    auto error = U_ZERO_ERROR;
    auto view = utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &error);
    auto breaks = ubrk_open(UBRK_CHARACTER, "", nullptr, 0, &error);
    ubrk_setUText(breaks, view, &error);
    std::size_t n = 0;
    while (ubrk_next(breaks) != UBRK_DONE) ++n;
    ubrk_close(breaks);
    utext_close(view);
    return n;
}

TEST(Graphemes, count_what_users_see) {
    struct {
        std::string text;
        std::size_t n;
    } rows[] = {
        {"", 0},
        {"abc", 3},
        {"a\r\nb", 3},
        {"日本語", 3},
        {"e\u0301", 1},
        {"👍🏽", 1},
        {"👨‍👩‍👧‍👦", 1},
        {"🇩🇪🇫🇷", 2},
        {"🇩🇪🇫", 2},
        {"🏳️‍🌈", 1},
        {"각", 1},
        {"한국어", 3},
        {"\u0301", 1},
        {"ก็", 1},
        {"\xFF\xFE", 2},
    };
    for (const auto& [text, n] : rows) EXPECT_EQ(graphemes(text), n) << text;
}

TEST(Graphemes, agree_with_icu) {
    const char32_t pool[] = {'a',     ' ',     '\r',    '\n',   0x301,  0x200D, 0x1F468, 0x1F466,
                             0x1F1E9, 0x1F1EA, 0x1F3FD, 0xFE0F, 0x1100, 0x1161, 0x11A8,  0xAC00,
                             0xAC01,  0x600,   0x903,   0xE31,  0x2764, 0xA9,   0x4E00,  0x7F};
    std::mt19937 random(1);
    for (int round = 0; round < 20000; ++round) {
        std::string text;
        for (unsigned i = random() % 12; i > 0; --i) append_utf8(text, pool[random() % std::size(pool)]);
        ASSERT_EQ(graphemes(text), graphemes_by_icu(text)) << text;
    }
}

TEST(Graphemes, of_marks_without_end_count_again_and_again) {
    std::string marks = "a";
    for (int i = 0; i < 31; ++i) marks += "\u0301";
    EXPECT_EQ(graphemes(marks), 1u);
    EXPECT_EQ(graphemes(marks + "\u0301"), 2u);
    EXPECT_EQ(graphemes(marks + "b" + marks.substr(1)), 2u);
    for (int i = 0; i < 32 * 1000; ++i) marks += "\u0301";
    EXPECT_EQ(graphemes(marks), 1001u);
    EXPECT_EQ(graphemes(std::string(first_graphemes(marks, 10))), 10u);
    EXPECT_LT(first_graphemes(marks, 10).size(), 1000u);
}

TEST(Graphemes, are_not_cut) {
    EXPECT_EQ(first_graphemes("abc", 2), "ab");
    EXPECT_EQ(first_graphemes("abc", 3), "abc");
    EXPECT_EQ(first_graphemes("👨‍👩‍👧x", 1), "👨‍👩‍👧");
    EXPECT_EQ(first_graphemes("", 0), "");
}

TEST(StatusLength, counts_links_flat_and_mentions_without_domain) {
    struct {
        std::string text;
        std::size_t n;
    } rows[] = {
        {"hello", 5},
        {std::string(476, 'a') + " http://" + std::string(30, 'b') + ".com/example", 500},
        {"http://a.co", 23},
        {"http://a.co/" + std::string(2036, 'a'), 23},
        {"http://a.co/" + std::string(2136, 'a'), 123},
        {"example.com/a/long/path/without/scheme", 38},
        {std::string(475, 'a') + " @alice@" + std::string(30, 'b') + ".com", 482},
        {"@alice@localhost:3000 hi", 9},
        {"@alice hi", 9},
        {"#tag", 4},
        {"xmpp:a@b.com", 23},
        {"👨‍👩‍👧‍👦 https://example.com/👍🏽 é", 27},
    };
    for (const auto& [text, n] : rows) EXPECT_EQ(status_length(text), n) << text;
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/utf8.hpp"

#include <gtest/gtest.h>

namespace {

using namespace base::text;
using namespace std::string_view_literals;

TEST(Utf8, is_cleaned) {
    struct {
        std::string_view from, to;
    } rows[] = {
        {"plain", "plain"},
        {"a\r\nb\rc\n\r\n", "a\nb\nc\n\n"},
        {"a\0b\x01\x1F\x7F\tc"sv, "ab\tc"},
        {"\u0080\u009F\u00A0", "\u00A0"},
        {"\xFF", "\uFFFD"},
        {"a\xC3", "a\uFFFD"},
        {"\xC0\xAF", "\uFFFD\uFFFD"},                      // overlong
        {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},            // surrogate
        {"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},  // too high
        {"\xE2\x82z", "\uFFFDz"},                          // one for the maximal subpart
        {"\xF0\x9F\x92", "\uFFFD"},
        {"日本 👍🏽 \uFEFF", "日本 👍🏽 \uFEFF"},
    };
    for (auto [from, to] : rows) {
        EXPECT_EQ(clean_utf8(from), to);
        EXPECT_TRUE(valid_utf8(clean_utf8(from)));
        EXPECT_EQ(clean_utf8(to), to);
    }
}

TEST(Utf8, every_character_survives_encoding) {
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        std::string text;
        append_utf8(text, c);
        auto forward = decode(text, 0), back = decode_before(text, text.size());
        ASSERT_TRUE(forward.valid && forward.c == c && forward.size == text.size()) << std::uint32_t{c};
        ASSERT_TRUE(back.valid && back.c == c && back.size == text.size()) << std::uint32_t{c};
    }
}

}  // namespace

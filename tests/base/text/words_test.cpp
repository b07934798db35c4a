// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using base::text::phrase;
using testing::ElementsAre, testing::IsEmpty;

std::vector<std::string> words(std::string_view text) { return base::text::words(text); }

TEST(Words, fold_case_accents_and_compatibility_forms) {
    EXPECT_THAT(words("Café CAFE\xCC\x81 Straße ØRE"), ElementsAre("cafe", "cafe", "strasse", "ore"));
    EXPECT_THAT(words("ｆｕｌｌ ﬁne Łódź"), ElementsAre("full", "fine", "lodz"));
    EXPECT_THAT(words("Ёлка й"), ElementsAre("елка", "и"));
    EXPECT_THAT(words("Άλφα"), ElementsAre("αλφα"));
}

TEST(Words, end_at_everything_that_is_no_letter_mark_or_digit) {
    EXPECT_THAT(
        words("don't foo_bar 3d, a-b https://x.org/y"),
        ElementsAre("don", "t", "foo", "bar", "3d", "a", "b", "https", "x", "org", "y")
    );
    EXPECT_THAT(words(" \"'#_*:()& \xF0\x9F\x98\x80"), IsEmpty());
    EXPECT_THAT(words(""), IsEmpty());
}

TEST(Words, of_unspaced_scripts_are_pairs_and_the_last_character) {
    EXPECT_THAT(words("東京タワー"), ElementsAre("東京", "京タ", "タワ", "ワー", "ー"));
    EXPECT_THAT(words("猫"), ElementsAre("猫"));
    EXPECT_THAT(words("2026年は"), ElementsAre("2026", "年は", "は"));
    EXPECT_THAT(words("한국어"), ElementsAre("한국", "국어", "어"));
    EXPECT_THAT(words("か\xE3\x82\x99"), ElementsAre("が"));
}

TEST(Words, sought_are_found_wherever_they_stand_in_a_run) {
    EXPECT_THAT(phrase("東京").words, ElementsAre("東京"));
    EXPECT_FALSE(phrase("東京").open);
    EXPECT_THAT(phrase("京").words, ElementsAre("京"));
    EXPECT_TRUE(phrase("京").open);
    EXPECT_THAT(phrase("第3回").words, ElementsAre("第", "3", "回"));
    EXPECT_TRUE(phrase("第3回").open);
    EXPECT_THAT(phrase("第一3x").words, ElementsAre("第一", "一", "3x"));
    EXPECT_FALSE(phrase("第3x").open);
}

// A megabyte of each; what took quadratic time would not end within the limit of the test program.
TEST(Words, of_hostile_texts_are_found_and_bounded) {
    for (auto part : {"a", "\xCC\x81", "猫", "\xEF\xB7\xBA", "\xff", "́a", "_"}) {
        std::string text;
        while (text.size() < 1 << 20) text += part;
        auto found = words(text);
        for (const auto& word : found) EXPECT_LT(word.size(), 400u);
        phrase(text);
    }
}

}  // namespace

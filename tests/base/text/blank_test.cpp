// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/blank.hpp"

#include <gtest/gtest.h>

namespace {

using base::text::is_blank, base::text::trimmed;

TEST(Blank, is_text_in_which_there_is_nothing_to_see) {
    for (auto text : {
             "",
             " \t\r\n\f\v",
             "\u00a0",                    // no-break space
             "\u3000\u3000",              // ideographic space
             "\u2003\u2028\u2029\u1680",  // em space, separators, ogham space
             "\u200b\u200c\u200d\ufeff",  // zero width
             "\u2060\u2064\u00ad\u034f",  // word joiner, invisible plus, soft hyphen, grapheme joiner
             "\u202e\u200f\u2067\u061c",  // directions
             "\u3164\u115f\u1160\uffa0",  // fillers
             "\u2800",                    // braille without dots
             "\ufe0f\U000e0100",          // variation selectors
             "\U000e0020\U000e007f",      // tags
             "\u0001\u007f\u0085",        // controls
             "\u180e\u17b4\U0001d173",    // Mongolian separator, Khmer inherent vowel, musical begin beam
         })
        EXPECT_TRUE(is_blank(text)) << text;
}

TEST(Blank, is_no_text_with_something_in_it) {
    for (auto text : {
             ".",
             " a",
             "\u3000\u4e00",
             "\u200b\u00e9",
             "\u2801",
             "\u0600",  // a number sign is a format character that is seen
             "\U0001f468\u200d\U0001f469",
             "\xff",
             "\xc3",
             "\xe3\x80",  // no UTF-8
             "\ufffd",
             "\ue000",
         })
        EXPECT_FALSE(is_blank(text)) << text;
}

TEST(Blank, space_around_text_is_taken_off_in_all_scripts) {
    EXPECT_EQ(trimmed("\u3000 tea\u2003time \u00a0\n"), "tea\u2003time");
    EXPECT_EQ(trimmed("\u3000\u2003"), "");
    EXPECT_EQ(trimmed(""), "");
    EXPECT_EQ(trimmed("tea"), "tea");
    EXPECT_EQ(trimmed(" \xff "), "\xff");
    // What joins or shapes belongs to the text.
    EXPECT_EQ(trimmed("\u200dtea\u200d "), "\u200dtea\u200d");
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/join.hpp"

#include "base/text/blank.hpp"
#include "base/text/count.hpp"
#include "base/text/percent.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace base::text;

TEST(Join, puts_words_together) {
    using Words = std::vector<std::string>;
    EXPECT_EQ(joined(Words{}), "");
    EXPECT_EQ(joined(Words{"one"}), "one");
    EXPECT_EQ(joined(Words{"one", "two"}), "one, two");
    EXPECT_EQ(joined(Words{"", "two", ""}, "\n"), "\ntwo\n");
}

TEST(Join, replaces_what_stood_there_and_not_what_comes) {
    std::string text = "aXbXX";
    replace_all(text, "X", "XX");
    EXPECT_EQ(text, "aXXbXXXX");
}

TEST(Percent, decodes_two_digits_in_either_case) {
    EXPECT_EQ(percent_decoded("a%2fb%2Fc"), "a/b/c");
    for (auto left : {"%", "%2", "%2g", "%g2", "+"}) EXPECT_EQ(percent_decoded(left), left);
    EXPECT_EQ(percent_decoded("%%41"), "%A");
}

TEST(Trimming, takes_the_given_blanks_away) {
    EXPECT_EQ(trimmed(" \tone two\t", " \t"), "one two");
    EXPECT_EQ(trimmed("\rone", " \t"), "\rone");
    EXPECT_EQ(trimmed(" \t ", " \t"), "");
}

TEST(CodePoints, are_no_bytes_and_no_clusters) {
    EXPECT_EQ(code_points(""), 0u);
    EXPECT_EQ(code_points("a\u00e9\U0001f600"), 3u);
    EXPECT_EQ(code_points("e\u0301"), 2u);
}

}  // namespace

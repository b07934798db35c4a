// SPDX-License-Identifier: AGPL-3.0-or-later
// The configuration of the server of before, as its own program reads it.
#include "takeover/source.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::Pair;

TEST(TakeoverSettings, are_read_without_quotes_and_comments) {
    EXPECT_THAT(
        takeover::settings_of("# a comment\n"
                              "export A=true # for friends\n"
                              "B: \"allowlist\"  # for friends\n"
                              "C='quoted'\n"
                              "D=\"with # inside\" # \"and\" behind\n"
                              "E=pass#word\n"
                              "F= # nothing\n"
                              "G=\t x \t# behind a tab\n"
                              "H=\"half\n"
                              "I=\"a\" and \"b\"\n"
                              "J=\"\n"
                              "K=\n"
                              "L: \"at\" + 1, # odd\n"
                              "no line\n"),
        ElementsAre(
            Pair("A", "true"),
            Pair("B", "allowlist"),
            Pair("C", "quoted"),
            Pair("D", "with # inside"),
            Pair("E", "pass#word"),
            Pair("F", ""),
            Pair("G", "x"),
            Pair("H", "\"half"),
            Pair("I", "a\" and \"b"),
            Pair("J", "\""),
            Pair("K", ""),
            Pair("L", "\"at\" + 1,")
        )
    );
}

}  // namespace

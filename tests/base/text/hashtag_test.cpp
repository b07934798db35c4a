// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/hashtag.hpp"

#include <gtest/gtest.h>

namespace {

using namespace base::text;

TEST(Hashtag, names_follow_the_grammar) {
    for (auto good : {"tag", "3d", "a", "_a", "a_", "one·two", "1·2", "ａｅｓｔｈｅｔｉｃ", "日本", "ИЮНЬ"})
        EXPECT_TRUE(valid_hashtag(good)) << good;
    for (auto bad :
         {"", "123", "#a", ".abc", "hello world", "a-b", "·a", "a·", "a b", "_", "❤", "a❤", "\xFF", "a\xFF"})
        EXPECT_FALSE(valid_hashtag(bad)) << bad;
}

TEST(Hashtag, keys_ignore_case_width_and_diacritics) {
    struct {
        std::string_view name, key;
    } rows[] = {
        {"HelloWorld", "helloworld"},
        {"#hello_world", "hello_world"},
        {"hello world", "helloworld"},
        {".abcdef123", "abcdef123"},
        {"Hello❤️World", "helloworld"},
        {"ＡｅｓＴhetic", "aesthetic"},
        {"Überraschung", "uberraschung"},
        {"U\u0308berraschung", "uberraschung"},
        {"Łódź", "lodz"},
        {"İstanbul", "istanbul"},
        {"Smørrebrød", "smorrebrod"},
        {"Việt", "viet"},
        {"Straße", "straße"},
        {"ИЮНЬ", "июнь"},
        {"й", "й"},
        {"ﾃｽﾄ", "テスト"},
        {"ガ", "ガ"},
        {"हिन्दी", "हिन्दी"},
        {"ぼっち・ざ・ろっく", "ぼっち・ざ・ろっく"},
        {"", ""},
        {"\xFF", ""},
    };
    for (auto [name, key] : rows) {
        EXPECT_EQ(normalise_hashtag(name), key) << name;
        EXPECT_EQ(normalise_hashtag(key), key) << name;
    }
}

}  // namespace

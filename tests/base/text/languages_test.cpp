// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/languages.hpp"

#include <gtest/gtest.h>

namespace {

using namespace base::text;

TEST(Languages, are_known_by_code) {
    for (auto code : {"en", "de", "ja", "zh", "zh-CN", "zh-HK", "zh-TW", "pt-BR", "tok", "ast", "yue"})
        EXPECT_TRUE(known_language(code)) << code;
    for (auto code : {"", "e", "xx", "EN", "en-", "en-XX", "und", "mul", "english"})
        EXPECT_FALSE(known_language(code)) << code;
}

TEST(Languages, are_found_whatever_the_spelling) {
    EXPECT_EQ(find_language("en_US"), "en");
    EXPECT_EQ(find_language("pt_br"), "pt-BR");
    EXPECT_EQ(find_language("JA"), "ja");
    EXPECT_EQ(find_language("zh-hant-TW"), "zh");
    EXPECT_EQ(find_language("tlh"), std::nullopt);
    EXPECT_EQ(find_language(""), std::nullopt);
}

TEST(Languages, have_names) {
    EXPECT_GT(languages().size(), 200u);
    for (const auto& language : languages()) EXPECT_FALSE(language.name.empty()) << language.code;
}

}  // namespace

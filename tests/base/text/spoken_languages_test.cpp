// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/spoken_languages.hpp"

#include "base/embedded.hpp"

#include <gmock/gmock.h>

namespace {

using base::text::best_language, base::text::best_of, base::text::language_for, base::text::plural_form;

TEST(SpokenLanguages, are_twelve_english_first_each_with_its_catalogues) {
    std::vector<std::string> codes;
    for (const auto& language : base::text::spoken_languages()) {
        codes.push_back(language.code);
        EXPECT_NE(language.name, "") << language.code;
        EXPECT_TRUE(base::embedded("web/locales/" + language.code + ".json")) << language.code;
        EXPECT_TRUE(base::embedded("web/words/" + language.code + ".json")) << language.code;
        EXPECT_EQ(language_for({language.code}), language.code);
        EXPECT_EQ(language_for({language.locale}), language.code) << "as apps call it";
    }
    EXPECT_THAT(
        codes,
        testing::ElementsAre("en", "de", "fr", "es", "pt-BR", "it", "nl", "pl", "ja", "zh-Hans", "ko", "ar")
    );
    EXPECT_EQ(base::text::find_spoken("zh-Hans")->locale, "zh-CN");
    EXPECT_EQ(base::text::find_spoken("tlh"), nullptr);
}

TEST(SpokenLanguages, are_written_in_their_direction) {
    EXPECT_EQ(base::text::direction("ar"), "rtl");
    for (auto other : {"en", "ja", "pl", "tlh", ""}) EXPECT_EQ(base::text::direction(other), "ltr");
}

TEST(SpokenLanguages, are_chosen_by_what_is_wanted_most) {
    for (auto [wanted, chosen] :
         {std::pair{"de", "de"},
          {"de-AT", "de"},
          {"sv, fr-CA;q=0.8, de;q=0.7", "fr"},
          {"de;q=0.2, ja;q=0.9, en;q=0.5", "ja"},
          {"en-GB,en;q=0.9,de;q=0.8", "en"},
          {"de;q=0, es;q=0.1", "es"},
          {"es_MX", "es"},
          {"es-MX, en;q=0.8", "es"},
          {"DE-ch ; q=0.5,fr; q=0.4", "de"}})
        EXPECT_EQ(best_language(wanted), chosen) << wanted;
    for (auto none : {"", "*", "sv", ";;;", "de;q=x", "de;q=", "de;x=1", "\xff\xfe", "q=1", "d", "-", "_"})
        EXPECT_EQ(best_language(none), std::nullopt) << none;
    best_language(std::string(100'000, ','));
}

TEST(SpokenLanguages, serve_for_those_that_are_written_alike) {
    for (auto portuguese : {"pt", "pt-PT", "pt-BR", "pt_br", "pt-PT,pt;q=0.9,en;q=0.8"})
        EXPECT_EQ(best_language(portuguese), "pt-BR") << portuguese;
    for (auto chinese : {"zh", "zh-CN", "zh-SG", "zh-Hans", "zh-Hans-CN", "zh_hans_sg", "zh-CN,en;q=0.8"})
        EXPECT_EQ(best_language(chinese), "zh-Hans") << chinese;
}

TEST(SpokenLanguages, answer_traditional_chinese_in_simplified_where_nothing_else_will_do) {
    for (auto chinese : {"zh-TW", "zh-Hant", "zh-Hant-HK", "zh_HK", "zh-MO", "zh-TW, sv;q=0.9"})
        EXPECT_EQ(best_language(chinese), "zh-Hans") << chinese;
    EXPECT_EQ(best_language("zh-TW, en;q=0.2"), "en");
    EXPECT_EQ(best_language("zh-Hant-TW, ja;q=0.5, en;q=0.2"), "ja");
    EXPECT_EQ(best_language("zh-TW, zh;q=0.9, en;q=0.8"), "zh-Hans") << "who reads any Chinese";
}

TEST(SpokenLanguages, are_chosen_by_the_first_wish_that_suits) {
    EXPECT_EQ(language_for({"", "pl", "de"}), "pl");
    EXPECT_EQ(language_for({"sv", "ko-KR,en;q=0.5", "de"}), "ko");
    EXPECT_EQ(language_for({"zh-CN", "en"}), "zh-Hans");
    EXPECT_EQ(language_for({"sv", "tlh"}), "en");
    EXPECT_EQ(language_for({}), "en");
    const std::vector<std::string> some{"en", "pt", "pt-BR"};
    EXPECT_EQ(best_of(some, "pt-BR"), "pt-BR");
    EXPECT_EQ(best_of(some, "pt-AO"), "pt");
    EXPECT_EQ(best_of({}, "en"), std::nullopt);
}

TEST(SpokenLanguages, count_by_their_own_rules) {
    auto forms = [](std::string_view language, std::vector<std::int64_t> numbers) {
        std::vector<std::string> out;
        for (auto number : numbers) out.push_back(plural_form(language, number));
        return out;
    };
    using testing::ElementsAre;
    EXPECT_THAT(forms("en", {0, 1, 2}), ElementsAre("other", "one", "other"));
    EXPECT_THAT(
        forms("pl", {1, 2, 5, 12, 22, 5'000'000'022}), ElementsAre("one", "few", "many", "many", "few", "few")
    );
    EXPECT_THAT(
        forms("ar", {0, 1, 2, 3, 11, 100}), ElementsAre("zero", "one", "two", "few", "many", "other")
    );
    EXPECT_THAT(forms("ja", {0, 1, 2}), ElementsAre("other", "other", "other"));
    EXPECT_THAT(forms("tlh", {1, 2}), ElementsAre("one", "other")) << "as English does";
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/translator.hpp"

#include <gtest/gtest.h>

#include <map>

namespace {

using server::Config, server::Translator, server::TranslateService;
using statuses::Translate, statuses::TranslateFailure;

struct Service {
    std::map<std::string, std::string> bodies;  // by address
    int status = 200;
    std::vector<base::Fetch> asked;

    Translator translator(TranslateService service) {
        Config config;
        config.translate_url = "https://translate.example/";
        config.translate_service = service;
        config.translate_key = "k3y";
        return Translator(config, [this](const base::Fetch& question) {
            asked.push_back(question);
            base::Fetched answer;
            answer.status = status;
            answer.body = bodies[question.url];
            return answer;
        });
    }
};

}  // namespace

TEST(Translator, speaks_with_libretranslate) {
    Service service;
    service.bodies = {
        {"https://translate.example/translate",
         R"({"translatedText":["Hello","World"],"detectedLanguage":[{"language":"de","confidence":90}]})"},
        {"https://translate.example/languages",
         R"([{"code":"de","name":"German","targets":["de","en"]},{"code":"en","targets":["de","fr"]}])"}
    };
    auto translator = service.translator(TranslateService::libretranslate);
    auto made = translator.translate({{"Hallo", "Welt"}, "", "en"});
    EXPECT_EQ(made.texts, (std::vector<std::string>{"Hello", "World"}));
    EXPECT_EQ(made.source_language, "de");
    EXPECT_EQ(made.provider, "LibreTranslate");
    EXPECT_EQ(
        service.asked[0].body,
        R"({"q":["Hallo","Welt"],"source":"auto","target":"en","format":"html","api_key":"k3y"})"
    );
    EXPECT_TRUE(service.asked[0].post);
    EXPECT_EQ(service.asked[0].redirects, 0);
    auto pairs = translator.languages();
    EXPECT_EQ(pairs["de"], std::vector<std::string>{"en"});
    EXPECT_EQ(pairs["und"], (std::vector<std::string>{"en", "de", "fr"}));
    translator.languages();
    EXPECT_EQ(service.asked.size(), 2u);  // kept for a week
}

TEST(Translator, speaks_with_deepl) {
    Service service;
    service.bodies = {
        {"https://translate.example/v2/translate",
         R"({"translations":[{"detected_source_language":"DE","text":"Hello"}]})"},
        {"https://translate.example/v2/languages?type=source", R"([{"language":"DE"},{"language":"EN"}])"},
        {"https://translate.example/v2/languages?type=target", R"([{"language":"DE"},{"language":"EN-GB"}])"}
    };
    auto translator = service.translator(TranslateService::deepl);
    auto made = translator.translate({{"Hallo"}, "de", "en"});
    EXPECT_EQ(made.texts, std::vector<std::string>{"Hello"});
    EXPECT_EQ(made.source_language, "de");
    EXPECT_EQ(made.provider, "DeepL.com");
    EXPECT_EQ(
        service.asked[0].body,
        R"({"text":["Hallo"],"source_lang":"DE","target_lang":"EN","tag_handling":"html"})"
    );
    bool signed_in = false;
    for (const auto& header : service.asked[0].headers)
        signed_in |= header.name == "Authorization" && header.value == "DeepL-Auth-Key k3y";
    EXPECT_TRUE(signed_in);
    auto pairs = translator.languages();
    EXPECT_EQ(pairs["de"], (std::vector<std::string>{"en-GB", "en", "pt"}));
    EXPECT_EQ(pairs["en"], (std::vector<std::string>{"de", "pt"}));
}

TEST(Translator, tells_why_it_failed) {
    Service service;
    auto libre = service.translator(TranslateService::libretranslate);
    auto why = [&](int status, const std::string& body = "") {
        service.status = status;
        service.bodies["https://translate.example/translate"] = body;
        return libre.translate({{"x"}, "de", "en"}).failure;
    };
    EXPECT_EQ(why(429), TranslateFailure::too_many);
    EXPECT_EQ(why(403), TranslateFailure::quota);
    EXPECT_EQ(why(456), TranslateFailure::quota);
    EXPECT_EQ(why(400), TranslateFailure::unsupported);
    EXPECT_EQ(why(500), TranslateFailure::broken);
    for (auto nonsense : {"", "{", "[]", "null", R"({"translatedText":1})"})
        EXPECT_EQ(why(200, nonsense), TranslateFailure::broken) << nonsense;
    EXPECT_TRUE(libre.languages().empty());
}

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/translation/translation.hpp"

#include "internet.hpp"
#include "social/statuses/core/visibility.hpp"
#include "world.hpp"

namespace {

using statuses::Translate, statuses::Translated, statuses::TranslateFailure;

struct Translations : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");
    int asked = 0;

    Translations() {
        w.site().translates = true;
        internet().languages = {{"de", {"en", "fr"}}, {"en", {"de"}}, {"und", {"de", "en", "fr"}}};
        internet().translate = [this](const Translate& question) {
            ++asked;
            Translated out;
            for (const auto& text : question.texts) out.texts.push_back(text + " [" + question.target + "]");
            out.source_language = question.source.empty() ? "de" : question.source;
            out.provider = "Test";
            return out;
        };
    }
    std::string post(const Fields& more = {}) {
        Fields fields{{"language", "de"}};
        fields.insert(fields.end(), more.begin(), more.end());
        return bob.status("Guten <Tag>", fields);
    }
    Answer translated(const std::string& id, const Fields& form = {}) {
        return alice.post("/api/v1/statuses/" + id + "/translate", form);
    }
};
ON_EACH_DATABASE(Translations);

TEST_P(Translations, hold_every_text_of_a_post) {
    auto id = post(
        {{"spoiler_text", "A & B"},
         {"poll[options][]", "eins"},
         {"poll[options][]", "<zwei>"},
         {"poll[expires_in]", "3600"}}
    );
    auto answer = translated(id);
    EXPECT_EQ(answer["content"], "<p>Guten &lt;Tag&gt;</p> [en]");
    EXPECT_EQ(answer["spoiler_text"], "A & B [en]");
    EXPECT_EQ(answer["language"], "en");
    EXPECT_EQ(answer["detected_source_language"], "de");
    EXPECT_EQ(answer["provider"], "Test");
    EXPECT_EQ(answer["poll.options.0.title"], "eins [en]");
    EXPECT_EQ(answer["poll.options.1.title"], "<zwei> [en]");
    EXPECT_EQ(translated(id, {{"lang", "fr-CA"}})["language"], "fr");
}

TEST_P(Translations, are_asked_for_once_a_day) {
    auto id = post();
    translated(id);
    alice.favourites(id);
    EXPECT_EQ(translated(id)["detected_source_language"], "de");
    EXPECT_EQ(asked, 1);
    translated(id, {{"lang", "fr"}});
    EXPECT_EQ(asked, 2);
    bob.put("/api/v1/statuses/" + id, {{"status", "Anders"}, {"language", "de"}});
    EXPECT_EQ(translated(id)["content"], "<p>Anders</p> [en]");
    EXPECT_EQ(asked, 3);
    w.advance(86'401);
    translated(id);
    EXPECT_EQ(asked, 4);
    w.advance(86'401);
    w.changed();
    w.write(statuses::purge_translations);
    EXPECT_EQ(w.changed(), "translations -3");
}

TEST_P(Translations, are_of_public_posts_into_languages_that_the_service_knows) {
    EXPECT_EQ(translated(post({{"visibility", "unlisted"}})).status, 200);
    EXPECT_EQ(translated(post({{"visibility", "private"}})).status, 404);
    auto own = alice.status("Hallo", {{"language", "de"}, {"visibility", "private"}});
    EXPECT_EQ(translated(own).status, 403);
    EXPECT_EQ(translated(post(), {{"lang", "ja"}}).status, 403);
    EXPECT_EQ(translated(post(), {{"lang", "de"}}).status, 403);
    EXPECT_EQ(w.anonymous().post("/api/v1/statuses/" + post() + "/translate").status, 401);
}

TEST_P(Translations, are_not_there_without_a_service) {
    w.site().translates = false;
    auto without = translated(post());
    EXPECT_EQ(without.status, 404);
    EXPECT_EQ(without.error(), "Not Found");
    EXPECT_EQ(w.anonymous().get("/api/v1/instance/translation_languages").body, "{}");
    EXPECT_EQ(asked, 0);
}

TEST_P(Translations, are_told_by_pairs_of_languages) {
    EXPECT_EQ(
        w.anonymous().get("/api/v1/instance/translation_languages").body,
        R"({"de":["en","fr"],"en":["de"],"und":["de","en","fr"]})"
    );
}

TEST_P(Translations, are_cleaned_like_anything_from_elsewhere_attack_91) {
    internet().translate = [](const Translate& question) {
        Translated out;
        for (std::size_t i = 0; i < question.texts.size(); ++i)
            out.texts.emplace_back(
                "<p onclick=\"x\">ok<script>alert(1)</script><img src=x onerror=alert(1)></p>"
            );
        return out;
    };
    auto answer = translated(post({{"spoiler_text", "A"}}));
    EXPECT_EQ(answer["content"], "<p>ok</p>");
    EXPECT_EQ(answer["spoiler_text"], "ok");
}

TEST_P(Translations, that_fail_are_not_kept) {
    auto id = base::StatusId{std::stoll(post())};
    auto attempt = [&](Translated answer) {
        w.read([&](db::Read& db) {
            base::Ask ask;
            auto facts = statuses::visibility_facts(db, statuses::nobody(db), {id});
            for (int round = 0; round < 2; ++round) {
                try {
                    statuses::translate(ask, db, facts.at(0), "en");
                } catch (const base::Needs& needs) {
                    if (needs.type == typeid(statuses::TranslationLanguages))
                        ask.answer(needs, internet().languages);
                    else ask.answer(needs, answer);
                }
            }
            statuses::translate(ask, db, facts.at(0), "en");
        });
    };
    w.changed();
    for (auto failure : {TranslateFailure::quota, TranslateFailure::too_many, TranslateFailure::broken})
        EXPECT_THROW(attempt({failure, {}, {}, {}}), base::Unavailable);
    EXPECT_THROW(attempt({TranslateFailure::unsupported, {}, {}, {}}), base::Forbidden);
    EXPECT_THROW(attempt({TranslateFailure::none, {}, {}, {}}), base::Unavailable);  // too few texts
    EXPECT_EQ(w.changed(), "");
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/catalogue.hpp"

#include "base/embedded.hpp"
#include "base/text/pattern.hpp"
#include "base/text/spoken_languages.hpp"

#include <gtest/gtest.h>
#include <unicode/messagepattern.h>
#include <boost/json.hpp>

namespace {

using base::text::Pattern, base::text::translated;

using Wordings = std::map<std::string, std::string>;

Wordings catalogue(const std::string& language) {
    auto bytes = *base::embedded("web/locales/" + language + ".json");
    Wordings out;
    auto all = boost::json::parse({bytes.data(), bytes.size()});
    for (const auto& [text, wording] : all.as_object())
        EXPECT_TRUE(out.emplace(text, std::string(std::string_view(wording.as_string()))).second) << text;
    return out;
}

std::vector<std::string> names_in(const std::string& wording) {
    UErrorCode error = U_ZERO_ERROR;
    icu::MessagePattern pattern(icu::UnicodeString::fromUTF8(wording), nullptr, error);
    EXPECT_TRUE(U_SUCCESS(error)) << wording;
    std::set<std::string> out;
    for (int i = 0; i < pattern.countParts(); ++i)
        if (pattern.getPart(i).getType() == UMSGPAT_PART_TYPE_ARG_NAME) {
            std::string name;
            out.insert(pattern.getSubstring(pattern.getPart(i)).toUTF8String(name));
        }
    return {out.begin(), out.end()};
}

TEST(Catalogues, have_the_same_texts_with_the_same_places) {
    auto english = catalogue("en");
    EXPECT_GT(english.size(), 200u);
    for (const auto& [text, wording] : english) EXPECT_EQ(text, wording);
    for (const auto& [language, name, locale, direction] : base::text::spoken_languages()) {
        SCOPED_TRACE(language);
        auto wordings = catalogue(language);
        for (const auto& [text, unused] : english) {
            ASSERT_TRUE(wordings.contains(text)) << "no wording for: " << text;
            EXPECT_NE(wordings[text], "") << text;
            if (text.find('{') != text.npos)
                EXPECT_EQ(names_in(wordings[text]), Pattern(text).names()) << text;
        }
        for (const auto& [text, unused] : wordings)
            EXPECT_TRUE(english.contains(text)) << "nothing says any more: " << text;
    }
}

TEST(Catalogues, give_a_text_with_its_values) {
    EXPECT_EQ(
        translated("de", "Cannot attach more than {count} files", {{"count", "5000"}}),
        "Es können nicht mehr als 5.000 Dateien angehängt werden"
    );
    EXPECT_EQ(
        translated("tlh", "Hello {name}, it's {it}", {{"name", "{b}"}, {"it", "'"}}), "Hello {b}, it's '"
    );
}

TEST(Catalogues, recognise_what_was_said_in_english) {
    EXPECT_EQ(translated("de", "Record not found"), "Eintrag nicht gefunden");
    EXPECT_EQ(
        translated("de", "Cannot attach more than 4 files"),
        "Es können nicht mehr als 4 Dateien angehängt werden"
    );
    EXPECT_EQ(
        translated("fr", "param is missing or the value is empty or invalid: status_id"),
        "paramètre manquant, vide ou invalide : status_id"
    );
    EXPECT_EQ(
        translated("es", "Validation failed: Spoiler text can't be blank"),
        "Datos no válidos: La advertencia de contenido no puede estar en blanco"
    );
    EXPECT_EQ(
        translated(
            "de",
            "Validation failed: Username must contain only letters, numbers and underscores, Email has "
            "already "
            "been taken, Password is too short (minimum is 8 characters)"
        ),
        "Ungültige Angaben: Profilname darf nur Buchstaben, Ziffern und Unterstriche enthalten, "
        "E-Mail-Adresse "
        "ist bereits vergeben, Passwort ist zu kurz (mindestens 8 Zeichen)"
    );
    EXPECT_EQ(
        translated("ja", "Validation failed: Text character limit of 5000 exceeded"),
        "入力内容に問題があります：本文が5,000文字の上限を超えています"
    );
    EXPECT_EQ(
        translated("de", "Validation failed: Never heard of can't be blank"),
        "Ungültige Angaben: Never heard of darf nicht leer sein"
    );
}

TEST(Catalogues, count_as_their_language_counts) {
    auto refused = [](int count) {
        return translated("pl", "Cannot attach more than " + std::to_string(count) + " files");
    };
    EXPECT_NE(refused(5), "Cannot attach more than 5 files");
    for (int count : {1, 2, 5, 22}) EXPECT_NE(refused(count).find(std::to_string(count)), std::string::npos);
}

TEST(Catalogues, leave_what_they_do_not_know) {
    for (auto text :
         {"", " ", "Nobody says this", "Validation failed: ", "Validation failed: x, y", "{problems}"})
        for (const auto& language : base::text::spoken_languages())
            EXPECT_EQ(translated(language.code, text), text);
    EXPECT_EQ(translated("tlh", "Record not found"), "Record not found");
    EXPECT_EQ(translated("en", "Record not found"), "Record not found");
}

// Values may come from anybody.
TEST(Catalogues, take_values_for_values) {
    EXPECT_EQ(
        translated("de", "Search query: \"{count} 'x' {0}\" is not a date"),
        "Suche: „{count} 'x' {0}“ ist kein Datum"
    );
    std::string long_one = "Validation failed: ";
    for (int i = 0; i < 400; ++i) long_one += "Text can't be blank, ";
    EXPECT_EQ(translated("de", long_one), long_one) << "not looked at";
}

TEST(Pattern, finds_what_was_filled_in) {
    using Found = std::vector<std::pair<std::string, std::string>>;
    Pattern limit("Not more than {count} of {name} at once");
    EXPECT_EQ(limit.match("Not more than 12 of these at once"), (Found{{"count", "12"}, {"name", "these"}}));
    for (auto other :
         {"Not more than x of these at once",
          "Not more than  of these at once",
          "Not more than 1 of  at once",
          "Not more than 1 of these",
          "Not more than",
          ""})
        EXPECT_FALSE(limit.match(other)) << other;
    EXPECT_FALSE(Pattern("{field} {problem}").match("a b")) << "which is everything";
}

}  // namespace

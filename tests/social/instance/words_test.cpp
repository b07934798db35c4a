// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/words.hpp"

#include "base/embedded.hpp"
#include "social/instance/html.hpp"

#include <gmock/gmock.h>
#include <boost/json.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace {

using instance::page_language, instance::said, instance::in_words;
using Wordings = std::map<std::string, std::string>;

Wordings words(const std::string& language) {
    auto bytes = base::embedded("web/words/" + language + ".json").value();
    Wordings out;
    auto all = boost::json::parse({bytes.data(), bytes.size()});
    for (const auto& [text, wording] : all.as_object())
        EXPECT_TRUE(out.emplace(text, std::string(std::string_view(wording.as_string()))).second) << text;
    return out;
}

// What is filled in, and the elements that stand in a text.
std::multiset<std::string> pieces(const std::string& text) {
    static const std::regex piece(R"(\{\{?\w+\}?\}|</?\w+[^>]*>)");
    std::multiset<std::string> out;
    for (std::sregex_iterator at(text.begin(), text.end(), piece), end; at != end; ++at)
        out.insert(at->str());
    return out;
}

std::set<std::string> marked_in_templates() {
    static const std::regex mark(R"(\[\[([\s\S]*?)\]\])");
    std::set<std::string> out;
    for (const auto& [path, bytes] : base::embedded_files()) {
        if (!path.starts_with("web/templates/")) continue;
        std::string source(bytes);
        for (std::sregex_iterator at(source.begin(), source.end(), mark), end; at != end; ++at)
            out.insert((*at)[1].str());
    }
    return out;
}

std::string sources() {
    namespace fs = std::filesystem;
    std::string all;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(DUNLIN_SOURCE_DIR) / "src/social")) {
        if (entry.path().extension() != ".cpp") continue;
        std::ifstream in(entry.path());
        all += (std::ostringstream() << in.rdbuf()).str();
    }
    static const std::regex seam(R"("\s*\n\s*")");
    return std::regex_replace(all, seam, "");
}

TEST(PageWords, are_all_there_in_each_language_and_none_besides) {
    auto english = words("en");
    EXPECT_GT(english.size(), 200u);
    EXPECT_THAT(instance::page_languages(), testing::IsSupersetOf({"en", "de", "fr", "es", "ja", "ar"}));
    EXPECT_EQ(instance::page_languages()[0], "en");
    for (const auto& language : instance::page_languages()) {
        SCOPED_TRACE(language);
        auto wordings = words(language);
        for (const auto& [text, same] : english) {
            EXPECT_EQ(text, same);
            ASSERT_TRUE(wordings.contains(text)) << "no wording for: " << text;
            EXPECT_NE(wordings[text], "") << text;
            EXPECT_EQ(pieces(wordings[text]), pieces(text)) << text;
        }
        for (const auto& [text, unused] : wordings)
            EXPECT_TRUE(english.contains(text)) << "nothing says any more: " << text;
    }
}

TEST(PageWords, are_those_that_templates_and_code_say) {
    auto english = words("en");
    auto marked = marked_in_templates();
    EXPECT_GT(marked.size(), 150u);
    for (const auto& text : marked) EXPECT_TRUE(english.contains(text)) << "web/words lack: " << text;
    auto code = sources();
    for (const auto& [text, unused] : english) {
        if (marked.contains(text)) continue;
        auto beginning = text.substr(0, text.find('{'));
        if (beginning.ends_with(' ')) beginning.pop_back();
        EXPECT_NE(code.find("\"" + beginning), code.npos) << "nobody says: " << text;
    }
}

TEST(PageWords, are_chosen_by_the_first_wish_that_suits) {
    EXPECT_EQ(page_language({"de-AT,de;q=0.8"}), "de");
    EXPECT_EQ(page_language({"", "fr"}), "fr");
    EXPECT_EQ(page_language({"ar", "fr"}), "ar");
    EXPECT_EQ(page_language({"pl", "ja;q=0.5"}), "ja");
    for (auto none : {"", "pl", "*", ";;;", "\xff"}) EXPECT_EQ(page_language({none}), "en") << none;
    EXPECT_EQ(instance::direction("ar"), "rtl");
    EXPECT_EQ(instance::direction("de"), "ltr");
}

TEST(PageWords, stand_in_templates_and_sentences) {
    EXPECT_EQ(in_words("de", "<b>[[Password]]</b> [[Sign in]]"), "<b>Passwort</b> Anmelden");
    EXPECT_EQ(in_words("tlh", "<b>[[Password]]</b>"), "<b>Password</b>");
    EXPECT_EQ(in_words("de", "[[Nobody says this]]"), "Nobody says this");
    EXPECT_EQ(said("de", "This is not your password."), "Das ist nicht dein Passwort.");
    EXPECT_EQ(said("fr", "Nobody says this"), "Nobody says this");
    EXPECT_EQ(said("en", "This is not the code."), "This is not the code.");
    EXPECT_EQ(
        said("de", "The new password is too short (minimum is 8 characters)."),
        "Das neue Passwort ist zu kurz (mindestens 8 Zeichen)."
    );
    EXPECT_EQ(said("de", "The password <b>{problem}</b>."), "Das Passwort <b>{problem}</b>.")
        << "values are values";
}

TEST(PageWords, make_pages_in_each_language) {
    for (const auto& language : instance::page_languages()) {
        instance::View view;
        view.say("TITLE", "Sign in")
            .set("SITE", "<b>")
            .add("PROBLEM")
            .say("TEXT", "This is not your password.");
        auto page = instance::render_page("sign_in", view, language);
        EXPECT_NE(page.find("<html lang=\"" + language + "\" dir=\""), page.npos) << page;
        EXPECT_NE(page.find(said(language, "This is not your password.")), page.npos) << page;
        EXPECT_EQ(page.find("[["), page.npos);
        EXPECT_EQ(page.find("<b>"), page.npos);
    }
}

}  // namespace

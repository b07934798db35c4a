// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/words.hpp"

#include "base/embedded.hpp"
#include "base/text/spoken_languages.hpp"
#include "social/instance/html.hpp"

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace {

using instance::said, instance::in_words;
using Wordings = std::map<std::string, std::string>;

Wordings words(const std::string& language) {
    auto bytes = base::embedded("web/words/" + language + ".json").value();
    Wordings out;
    auto all = boost::json::parse({bytes.data(), bytes.size()});
    for (const auto& [text, wording] : all.as_object())
        EXPECT_TRUE(out.emplace(text, std::string(std::string_view(wording.as_string()))).second) << text;
    return out;
}

// "{POSTS, plural, one {# post} other {# posts}}" as "{{POSTS}} posts".
std::string in_one_form(const std::string& text) {
    static const std::regex plural(R"(\{(\w+), plural,(?:\s*\w+ \{[^{}]*\})*\s*other \{([^{}]*)\}\s*\})");
    static const std::regex number("#");
    std::smatch found;
    if (!std::regex_search(text, found, plural)) return text;
    auto words = std::regex_replace(found[2].str(), number, "{{" + found[1].str() + "}}");
    return in_one_form(found.prefix().str() + words + found.suffix().str());
}

// What is filled in, and the elements that stand in a text.
std::multiset<std::string> pieces(const std::string& with_plurals) {
    auto text = in_one_form(with_plurals);
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
        if (!path.starts_with("web/templates/") && !path.starts_with("web/mail/")) continue;
        std::string source(bytes);
        for (std::sregex_iterator at(source.begin(), source.end(), mark), end; at != end; ++at)
            out.insert((*at)[1].str());
    }
    return out;
}

std::string sources() {
    namespace fs = std::filesystem;
    std::string all;
    for (auto folder : {"src/social", "src/server", "src/base/text"})
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(DUNLIN_SOURCE_DIR) / folder)) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
            std::ifstream in(entry.path());
            all += (std::ostringstream() << in.rdbuf()).str();
        }
    static const std::regex seam(R"("\s*\n\s*")");
    return std::regex_replace(all, seam, "");
}

TEST(PageWords, are_all_there_in_each_language_and_none_besides) {
    auto english = words("en");
    EXPECT_GT(english.size(), 200u);
    for (const auto& [language, name, locale, direction] : base::text::spoken_languages()) {
        SCOPED_TRACE(language);
        auto wordings = words(language);
        for (const auto& [text, same] : english) {
            EXPECT_EQ(text, in_one_form(same));
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

std::string profile_of(std::int64_t posts, const std::string& language) {
    instance::View view;
    view.count("STATUSES", posts).count("FOLLOWERS", 1).count("FOLLOWING", 0);
    return instance::render_page("profile", view, language);
}

TEST(PageWords, have_the_plural_of_their_language) {
    auto shows = [](const std::string& page, const std::string& words) {
        return page.find(words) != page.npos;
    };
    EXPECT_TRUE(shows(profile_of(1, "en"), ">1 post &middot;")) << profile_of(1, "en");
    EXPECT_TRUE(shows(profile_of(2, "en"), ">2 posts &middot;"));
    EXPECT_TRUE(shows(profile_of(0, "en"), ">1 follower<"));
    EXPECT_TRUE(shows(profile_of(1, "pl"), ">1 wpis &middot;")) << profile_of(1, "pl");
    EXPECT_TRUE(shows(profile_of(3, "pl"), ">3 wpisy &middot;"));
    EXPECT_TRUE(shows(profile_of(12, "pl"), ">12 wpisów &middot;"));
    EXPECT_TRUE(shows(profile_of(7, "ja"), "7"));
    for (const auto& language : base::text::spoken_languages())
        EXPECT_EQ(profile_of(5, language.code).find("plural"), std::string::npos) << language.code;
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
    for (const auto& [language, name, locale, direction] : base::text::spoken_languages()) {
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

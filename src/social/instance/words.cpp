// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/words.hpp"

#include "base/embedded.hpp"
#include "base/text/catalogue.hpp"
#include "base/text/pattern.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <map>

namespace instance {

namespace {

constexpr std::string_view folder = "web/words/", ending = ".json", english = "en";

struct Words {
    std::map<std::string, std::string, std::less<>> wordings;
    std::vector<base::text::Pattern> patterns;  // what the code fills in: "The password {problem}."
};

// Read when the first page is asked for.
const std::map<std::string, Words, std::less<>>& all_words() {
    static const auto all = [] {
        std::map<std::string, Words, std::less<>> out;
        for (const auto& [path, bytes] : base::embedded_files()) {
            if (!path.starts_with(folder)) continue;
            auto name = path.substr(folder.size());
            auto& words = out[std::string(name.substr(0, name.size() - ending.size()))];
            auto json = boost::json::parse({bytes.data(), bytes.size()});
            for (const auto& [key, wording] : json.as_object()) {
                std::string text(key);
                if (text.find('{') != text.npos && text.find("{{") == text.npos)
                    words.patterns.emplace_back(text);
                words.wordings.emplace(text, std::string(std::string_view(wording.as_string())));
            }
        }
        return out;
    }();
    return all;
}

const Words* find_words(std::string_view language) {
    auto found = all_words().find(language);
    return found == all_words().end() ? nullptr : &found->second;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    if (auto at = text.find(what); at != text.npos) text.replace(at, what.size(), by);
    return text;
}

}  // namespace

const std::vector<std::string>& page_languages() {
    static const auto all = [] {
        std::vector<std::string> out{std::string(english)};
        for (const auto& [language, words] : all_words())
            if (language != english) out.push_back(language);
        return out;
    }();
    return all;
}

std::string page_language(std::initializer_list<std::string_view> wishes) {
    static const base::text::LanguageChoice choice(page_languages());
    for (auto wish : wishes)
        if (!wish.empty())
            if (auto found = choice.best(wish)) return *found;
    return std::string(english);
}

std::string_view direction(std::string_view language) {
    constexpr std::string_view leftwards[] = {"ar", "fa", "he", "ur"};
    bool left = std::ranges::find(leftwards, language.substr(0, language.find('-'))) != std::end(leftwards);
    return left ? "rtl" : "ltr";
}

std::string in_words(std::string_view language, std::string_view source) {
    constexpr std::string_view opening = "[[", closing = "]]";
    const auto* words = find_words(language);
    std::string out;
    for (auto at = source.find(opening); at != source.npos; at = source.find(opening)) {
        auto end = source.find(closing, at);
        auto text = source.substr(at + opening.size(), end - at - opening.size());
        out += source.substr(0, at);
        auto found = words ? words->wordings.find(text) : decltype(words->wordings.end()){};
        if (words && found != words->wordings.end()) out += found->second;
        else out += text;
        source.remove_prefix(end + closing.size());
    }
    return out += source;
}

std::string said(std::string_view language, std::string_view sentence) {
    const auto* words = language == english ? nullptr : find_words(language);
    if (!words) return std::string(sentence);
    if (auto found = words->wordings.find(sentence); found != words->wordings.end()) return found->second;
    for (const auto& pattern : words->patterns) {
        auto matched = pattern.match(sentence);
        if (!matched) continue;
        auto out = words->wordings.find(pattern.text())->second;
        for (const auto& [name, value] : *matched)
            out = replaced(
                std::move(out),
                "{" + name + "}",
                name == "problem" ? base::text::translated(language, value) : value
            );
        return out;
    }
    return base::text::translated(language, sentence);
}

}  // namespace instance

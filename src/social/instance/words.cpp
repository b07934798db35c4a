// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/words.hpp"

#include "base/embedded.hpp"
#include "base/text/catalogue.hpp"
#include "base/text/pattern.hpp"

#include <boost/json.hpp>

#include <map>
#include <stdexcept>

namespace instance {

namespace {

constexpr std::string_view folder = "web/words/", ending = ".json", english = "en";

struct Words {
    std::map<std::string, std::string, std::less<>> wordings;
    std::vector<base::text::Pattern> patterns;  // sentences with values: "The password {problem}."
};

// Loaded when the first page is requested.
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

// Returns the text between the opening brace at the front and its closing one, and removes both from `rest`.
std::string_view take_braces(std::string_view& rest) {
    std::size_t depth = 0, end = 0;
    do {
        if (end == rest.size()) throw std::runtime_error("a wording lacks a brace: " + std::string(rest));
        if (rest[end] == '{') ++depth;
        if (rest[end] == '}') --depth;
        ++end;
    } while (depth > 0);
    auto inside = rest.substr(1, end - 2);
    rest.remove_prefix(end);
    return inside;
}

std::string_view take_until(std::string_view& rest, std::string_view marks) {
    auto out = rest.substr(0, rest.find_first_of(marks));
    rest.remove_prefix(out.size());
    return out;
}

// Turns "POSTS, plural, one {# post} other {# posts}" into {{#POSTS_one}}{{POSTS}} post{{/POSTS_one}} and so
// on.
std::string sections_of(std::string_view plural) {
    constexpr std::string_view forms[] = {"zero", "one", "two", "few", "many", "other"}, blank = " \n";
    auto name = take_until(plural, ",");
    plural.remove_prefix(plural.find(',', 1) + 1);
    std::map<std::string_view, std::string_view> given;
    while (plural.find('{') != plural.npos) {
        plural.remove_prefix(plural.find_first_not_of(blank));
        auto form = take_until(plural, " {");
        take_until(plural, "{");
        given[form] = take_braces(plural);
    }
    std::string out;
    for (auto form : forms) {
        auto found = given.find(given.contains(form) ? form : forms[5]);
        if (found == given.end())
            throw std::runtime_error("a plural of " + std::string(name) + " lacks \"other\"");
        auto section = section_of(name, form);
        out += "{{#" + section + "}}";
        for (char c : found->second) out += c == '#' ? "{{" + std::string(name) + "}}" : std::string(1, c);
        out += "{{/" + section + "}}";
    }
    return out;
}

std::string with_forms(std::string_view wording) {
    constexpr std::string_view plural = ", plural,";
    std::string out;
    for (auto at = wording.find(plural); at != wording.npos; at = wording.find(plural)) {
        auto begin = wording.rfind('{', at);
        if (begin == wording.npos) break;
        out += wording.substr(0, begin);
        wording.remove_prefix(begin);
        out += sections_of(take_braces(wording));
    }
    return out += wording;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    if (auto at = text.find(what); at != text.npos) text.replace(at, what.size(), by);
    return text;
}

}  // namespace

std::string section_of(std::string_view name, std::string_view plural_form) {
    return std::string(name) + "_" + std::string(plural_form);
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
        if (words && found != words->wordings.end()) out += with_forms(found->second);
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
                name == "problem" ? base::text::translated(language, value)
                : name == "what"  ? said(language, value)
                                  : value
            );
        return out;
    }
    return base::text::translated(language, sentence);
}

}  // namespace instance

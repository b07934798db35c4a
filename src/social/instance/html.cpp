// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/html.hpp"

#include "base/embedded.hpp"
#include "base/shared_state.hpp"
#include "base/text/spoken_languages.hpp"
#include "social/instance/words.hpp"

#include <ctemplate/template.h>
#include <ctemplate/template_cache.h>
#include <ctemplate/template_dictionary.h>

#include <map>
#include <memory>
#include <set>
#include <stdexcept>

namespace instance {

View& View::set(std::string_view name, std::string_view value) {
    values_.push_back({std::string(name), std::string(value)});
    return *this;
}

View& View::say(std::string_view name, std::string_view sentence) {
    values_.push_back({std::string(name), std::string(sentence), true});
    return *this;
}

View& View::count(std::string_view name, std::int64_t number) {
    values_.push_back({std::string(name), std::to_string(number), false, number});
    return *this;
}

View& View::add(std::string_view section) { return sections_.emplace_back(section, View()).second; }

namespace {

constexpr std::string_view english = "en";

ctemplate::TemplateString text(std::string_view s) { return {s.data(), s.size()}; }

bool is_html(std::string_view path) { return path.ends_with(".html"); }

ctemplate::Strip strip_of(std::string_view path) {
    return is_html(path) ? ctemplate::STRIP_WHITESPACE : ctemplate::DO_NOT_STRIP;
}

// Common parts of templates are in web/templates/parts and included with {{+name}}.
std::string with_parts(std::string_view source) {
    std::string out;
    constexpr std::string_view opening = "{{+", closing = "}}";
    for (auto at = source.find(opening); at != source.npos; at = source.find(opening)) {
        auto end = source.find(closing, at);
        auto name = std::string(source.substr(at + opening.size(), end - at - opening.size()));
        auto part = base::embedded("web/templates/parts/" + name + ".html");
        if (!part) throw std::runtime_error("there is no part of templates named " + name);
        out += source.substr(0, at);
        out += *part;
        source.remove_prefix(end + closing.size());
    }
    return out += source;
}

std::unique_ptr<ctemplate::TemplateCache> parsed(std::string_view language) {
    auto fresh = std::make_unique<ctemplate::TemplateCache>();
    for (const auto& [path, bytes] : base::embedded_files()) {
        bool page = path.starts_with("web/templates/") && !path.starts_with("web/templates/parts/");
        if (!page && !path.starts_with("web/mail/")) continue;
        std::string source = is_html(path) ? "{{%AUTOESCAPE context=\"HTML\"}}" : "";
        source += in_words(language, with_parts(bytes));
        if (!fresh->StringToTemplateCache(text(path), text(source), strip_of(path)))
            throw std::runtime_error("the template " + std::string(path) + " is broken");
    }
    fresh->Freeze();
    return fresh;
}

// All templates in one language, parsed when the first page in it is requested, because most servers use few
// languages. Errors abort: a broken template is a broken build.
ctemplate::TemplateCache& templates(std::string_view language) {
    static auto& caches = *new std::map<std::string, std::unique_ptr<ctemplate::TemplateCache>, std::less<>>;
    static auto& shared = *new base::Lock;
    const auto* spoken = base::text::find_spoken(language);
    const auto code = spoken ? std::string_view(spoken->code) : english;
    const base::Hold hold(shared);
    auto found = caches.find(code);
    if (found == caches.end()) found = caches.emplace(code, parsed(code)).first;
    return *found->second;
}

}  // namespace

using Sections = std::set<std::string, std::less<>>;

class Filling {
public:
    // `only`: limits the sections.
    static void fill(
        ctemplate::TemplateDictionary& into, const View& from, std::string_view language,
        const Sections* only = nullptr
    ) {
        for (const auto& [name, value, is_said, number] : from.values_) {
            if (is_said) into.SetValue(text(name), text(said(language, value)));
            else into.SetValue(text(name), text(value));
            if (number) into.ShowSection(text(section_of(name, base::text::plural_form(language, *number))));
        }
        for (const auto& [name, view] : from.sections_)
            if (!only || only->contains(name)) fill(*into.AddSectionDictionary(text(name)), view, language);
    }
};

namespace {

constexpr std::string_view layout_path = "web/templates/layout.html";

// The sections that the layout shows; it does not need those of the body.
const Sections& sections_of_layout() {
    static const auto& found = *new Sections([] {
        Sections out;
        const auto source = with_parts(base::embedded(layout_path).value_or(""));
        constexpr std::string_view opening = "{{#", closing = "}}";
        for (auto at = source.find(opening); at != source.npos; at = source.find(opening, at)) {
            at += opening.size();
            out.insert(source.substr(at, source.find(closing, at) - at));
        }
        return out;
    }());
    return found;
}

void set_language(ctemplate::TemplateDictionary& dictionary, std::string_view language) {
    dictionary.SetValue("LANGUAGE", text(language));
    dictionary.SetValue("DIRECTION", text(base::text::direction(language)));
}

std::string expand(
    std::string_view path, const ctemplate::TemplateDictionary& dictionary, std::string_view language
) {
    std::string out;
    if (!templates(language).ExpandNoLoad(text(path), strip_of(path), &dictionary, nullptr, &out))
        throw std::runtime_error("the template " + std::string(path) + " cannot be shown");
    return out;
}

}  // namespace

std::string render_page(std::string_view name, const View& view, std::string_view language) {
    ctemplate::TemplateDictionary layout("layout");
    Filling::fill(layout, view, language, &sections_of_layout());
    set_language(layout, language);
    auto* body = layout.AddIncludeDictionary("BODY");
    auto path = "web/templates/" + std::string(name) + ".html";
    body->SetFilename(path);
    Filling::fill(*body, view, language);
    return expand(layout_path, layout, language);
}

std::string render_file(std::string_view path, const View& view, std::string_view language) {
    ctemplate::TemplateDictionary dictionary("file");
    Filling::fill(dictionary, view, language);
    set_language(dictionary, language);
    return expand("web/" + std::string(path), dictionary, language);
}

}  // namespace instance

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/html.hpp"

#include "base/embedded.hpp"

#include <ctemplate/template.h>
#include <ctemplate/template_cache.h>
#include <ctemplate/template_dictionary.h>
#include <stdexcept>

namespace instance {

View& View::set(std::string_view name, std::string_view value) {
    values_.emplace_back(name, value);
    return *this;
}

View& View::add(std::string_view section) { return sections_.emplace_back(section, View()).second; }

namespace {

ctemplate::TemplateString text(std::string_view s) { return {s.data(), s.size()}; }

bool is_html(std::string_view path) { return path.ends_with(".html"); }

ctemplate::Strip strip_of(std::string_view path) {
    return is_html(path) ? ctemplate::STRIP_WHITESPACE : ctemplate::DO_NOT_STRIP;
}

// What several templates show alike stands in web/templates/parts and is named {{+name}} there.
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

// All templates, parsed when the first page is asked for. Parsing fails loudly: a broken template is a broken build.
ctemplate::TemplateCache& templates() {
    static auto* const cache = [] {
        auto* fresh = new ctemplate::TemplateCache;
        for (const auto& [path, bytes] : base::embedded_files()) {
            bool page = path.starts_with("web/templates/") && !path.starts_with("web/templates/parts/");
            if (!page && !path.starts_with("web/mail/")) continue;
            std::string source = is_html(path) ? "{{%AUTOESCAPE context=\"HTML\"}}" : "";
            source += with_parts(bytes);
            if (!fresh->StringToTemplateCache(text(path), text(source), strip_of(path)))
                throw std::runtime_error("the template " + std::string(path) + " is broken");
        }
        fresh->Freeze();
        return fresh;
    }();
    return *cache;
}

}  // namespace

class Filling {
public:
    static void fill(ctemplate::TemplateDictionary& into, const View& from) {
        for (const auto& [name, value] : from.values_) into.SetValue(text(name), text(value));
        for (const auto& [name, view] : from.sections_) fill(*into.AddSectionDictionary(text(name)), view);
    }
};

namespace {

std::string expand(std::string_view path, const ctemplate::TemplateDictionary& dictionary) {
    std::string out;
    if (!templates().ExpandNoLoad(text(path), strip_of(path), &dictionary, nullptr, &out))
        throw std::runtime_error("the template " + std::string(path) + " cannot be shown");
    return out;
}

}  // namespace

std::string render_page(std::string_view name, const View& view) {
    ctemplate::TemplateDictionary layout("layout");
    Filling::fill(layout, view);
    auto* body = layout.AddIncludeDictionary("BODY");
    auto path = "web/templates/" + std::string(name) + ".html";
    body->SetFilename(path);
    Filling::fill(*body, view);
    return expand("web/templates/layout.html", layout);
}

std::string render_file(std::string_view path, const View& view) {
    ctemplate::TemplateDictionary dictionary("file");
    Filling::fill(dictionary, view);
    return expand("web/" + std::string(path), dictionary);
}

}  // namespace instance

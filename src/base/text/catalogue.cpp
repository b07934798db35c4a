// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/catalogue.hpp"

#include "base/embedded.hpp"
#include "base/text/pattern.hpp"

#include <unicode/msgfmt.h>
#include <boost/json.hpp>

#include <algorithm>
#include <charconv>
#include <map>

namespace base::text {

namespace {

constexpr std::string_view folder = "web/locales/", ending = ".json", english = "en";
// Precedes a list of problems, each of which is a text of its own.
constexpr std::string_view invalid = "Validation failed: ";
constexpr std::size_t most_text = 2000;  // bytes that are considered

struct Catalogue {
    std::map<std::string, std::string, std::less<>> wordings;
    std::vector<Pattern> patterns;  // the texts with placeholders
};

Catalogue read_catalogue(std::string_view bytes) {
    Catalogue out;
    auto all = boost::json::parse({bytes.data(), bytes.size()});
    for (const auto& [key, wording] : all.as_object()) {
        std::string text(key);
        if (text.find('{') != text.npos && !text.starts_with(invalid)) out.patterns.emplace_back(text);
        out.wordings.emplace(text, std::string(std::string_view(wording.as_string())));
    }
    return out;
}

using Catalogues = std::map<std::string, Catalogue, std::less<>>;

// Loaded on first use.
const Catalogues& catalogues() {
    static const Catalogues all = [] {
        Catalogues out;
        for (const auto& [path, bytes] : embedded_files()) {
            if (!path.starts_with(folder)) continue;
            auto name = path.substr(folder.size());
            out.emplace(name.substr(0, name.size() - ending.size()), read_catalogue(bytes));
        }
        return out;
    }();
    return all;
}

const Catalogue* find_catalogue(std::string_view language) {
    auto found = catalogues().find(language);
    return found == catalogues().end() ? nullptr : &found->second;
}

icu::UnicodeString unicode(std::string_view text) {
    return icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())});
}

icu::Formattable argument(const std::string& name, const std::string& value) {
    std::int64_t number = 0;
    auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    bool whole = error == std::errc() && end == value.data() + value.size();
    if (name == "count" && whole) return {static_cast<std::int64_t>(number)};
    return {unicode(value)};
}

std::string filled(std::string_view language, std::string_view wording, const Values& values) {
    UErrorCode error = U_ZERO_ERROR;
    icu::MessageFormat format(
        unicode(wording), icu::Locale::createFromName(std::string(language).c_str()), error
    );
    std::vector<icu::UnicodeString> names;
    std::vector<icu::Formattable> arguments;
    for (const auto& [name, value] : values) {
        names.push_back(unicode(name));
        arguments.push_back(argument(name, value));
    }
    icu::UnicodeString made;
    format.format(names.data(), arguments.data(), static_cast<std::int32_t>(names.size()), made, error);
    if (U_FAILURE(error)) return std::string(wording);  // a test checks all wordings
    std::string out;
    made.toUTF8String(out);
    return out;
}

// Takes a composed error message apart:
//   Validation failed: Email has already been taken, Username is too long (maximum is 30 characters)
class Reading {
public:
    Reading(std::string_view language, const Catalogue& catalogue)
        : language_(language), catalogue_(catalogue) {}

    std::optional<std::string> whole(std::string_view text) const {
        if (auto found = catalogue_.wordings.find(text); found != catalogue_.wordings.end())
            return found->second;
        const Pattern* best = nullptr;
        Values values;
        for (const auto& pattern : catalogue_.patterns) {
            if (best && pattern.literals() <= best->literals()) continue;
            if (auto matched = pattern.match(text)) best = &pattern, values = *std::move(matched);
        }
        if (!best) return std::nullopt;
        return filled(language_, catalogue_.wordings.find(best->text())->second, values);
    }

    std::optional<std::string> validation(std::string_view text) const {
        if (!text.starts_with(invalid)) return std::nullopt;
        auto all = problems(text.substr(invalid.size()));
        if (!all || all->empty()) return std::nullopt;
        return translated(language_, "Validation failed: {problems}", {{"problems", *all}});
    }

private:
    // Problems are separated by commas, but some contain commas.
    std::optional<std::string> problems(std::string_view text) const {
        constexpr std::string_view separator = ", ";
        std::string out;
        while (!text.empty()) {
            std::optional<std::string> first;
            auto end = text.find(separator);
            for (;; end = text.find(separator, end + 1)) {
                first = problem(text.substr(0, end));
                if (first || end == text.npos) break;
            }
            if (!first) return std::nullopt;
            if (!out.empty()) out += separator;
            out += *first;
            text = end == text.npos ? std::string_view{} : text.substr(end + separator.size());
        }
        return out;
    }

    // A sentence of its own, or a field name followed by what is wrong with it.
    std::optional<std::string> problem(std::string_view text) const {
        if (auto own = whole(text)) return own;
        std::optional<std::string> out;
        for (auto at = text.find(' '); at != text.npos; at = text.find(' ', at + 1)) {
            auto field = catalogue_.wordings.find(text.substr(0, at));
            bool known = field != catalogue_.wordings.end();
            if (out && !known) continue;
            auto wrong = whole(text.substr(at + 1));
            if (!wrong) continue;
            auto name = known ? field->second : std::string(text.substr(0, at));
            out = translated(language_, "{field} {problem}", {{"field", name}, {"problem", *wrong}});
            if (known) break;
        }
        return out;
    }

    std::string_view language_;
    const Catalogue& catalogue_;
};

}  // namespace

std::string translated(std::string_view language, std::string_view text, const Values& values) {
    const auto* catalogue = find_catalogue(language);
    auto found = catalogue ? catalogue->wordings.find(text) : decltype(catalogue->wordings.end()){};
    if (!catalogue || found == catalogue->wordings.end()) return filled(english, text, values);
    return filled(language, found->second, values);
}

std::string translated(std::string_view language, std::string_view filled_in) {
    const auto* catalogue = find_catalogue(language);
    if (!catalogue || language == english || filled_in.size() > most_text) return std::string(filled_in);
    Reading reading(language, *catalogue);
    auto out = reading.whole(filled_in);
    if (!out) out = reading.validation(filled_in);
    return out.value_or(std::string(filled_in));
}

}  // namespace base::text

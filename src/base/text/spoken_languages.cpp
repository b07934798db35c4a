// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/spoken_languages.hpp"

#include "base/embedded.hpp"
#include "base/json_read.hpp"
#include "base/text/blank.hpp"
#include "base/text/utf8.hpp"

#include <unicode/plurrule.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <stdexcept>

namespace base::text {

namespace {

constexpr std::string_view english = "en";
constexpr std::size_t most_wanted = 500;  // bytes of the header that are read

char lower(char c) { return c == '_' ? '-' : ascii_lower(c); }

bool same(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view primary(std::string_view tag) { return tag.substr(0, tag.find_first_of("-_")); }

bool is_traditional_chinese(std::string_view tag) {
    constexpr std::string_view where[] = {"hant", "tw", "hk", "mo"};
    if (!same(primary(tag), "zh")) return false;
    auto rest = tag.substr(2);
    rest.remove_prefix(std::min<std::size_t>(rest.size(), 1));
    return std::ranges::any_of(where, [&](auto one) { return same(primary(rest), one); });
}

struct Wish {
    std::string_view tag;
    double quality = 1;
};

// nullopt for "de;q=0" and for unreadable items.
std::optional<Wish> read_wish(std::string_view item) {
    auto end = item.find(';');
    Wish out{trimmed(item.substr(0, end), " \t")};
    if (end != item.npos) {
        auto quality = trimmed(item.substr(end + 1), " \t");
        if (!quality.starts_with("q=") && !quality.starts_with("Q=")) return std::nullopt;
        quality.remove_prefix(2);
        auto [last, error] = std::from_chars(quality.begin(), quality.end(), out.quality);
        if (error != std::errc() || last != quality.end()) return std::nullopt;
    }
    if (out.tag.empty() || !(out.quality > 0)) return std::nullopt;
    return out;
}

std::vector<Wish> wishes_in(std::string_view wanted) {
    wanted = wanted.substr(0, most_wanted);
    std::vector<Wish> out;
    while (!wanted.empty()) {
        auto item = wanted.substr(0, wanted.find(','));
        wanted.remove_prefix(std::min(wanted.size(), item.size() + 1));
        if (auto wish = read_wish(item)) out.push_back(*wish);
    }
    std::ranges::stable_sort(out, std::ranges::greater(), &Wish::quality);
    std::ranges::stable_partition(out, [](const Wish& wish) { return !is_traditional_chinese(wish.tag); });
    return out;
}

using Rules = std::map<std::string, std::unique_ptr<icu::PluralRules>, std::less<>>;

const Rules& plural_rules() {
    static const auto all = [] {
        Rules out;
        for (const auto& language : spoken_languages()) {
            UErrorCode error = U_ZERO_ERROR;
            auto locale = icu::Locale::forLanguageTag(language.code, error);
            out[language.code].reset(icu::PluralRules::forLocale(locale, error));
            if (U_FAILURE(error)) throw std::runtime_error("how does " + language.code + " count?");
        }
        return out;
    }();
    return all;
}

}  // namespace

const std::vector<SpokenLanguage>& spoken_languages() {
    static const auto all =
        base::json::read<std::vector<SpokenLanguage>>(base::embedded("web/languages.json").value());
    return all;
}

const SpokenLanguage* find_spoken(std::string_view code) {
    auto found = std::ranges::find(spoken_languages(), code, &SpokenLanguage::code);
    return found == spoken_languages().end() ? nullptr : &*found;
}

std::string_view direction(std::string_view code) {
    const auto* found = find_spoken(code);
    return found ? std::string_view(found->direction) : "ltr";
}

std::optional<std::string> best_of(std::span<const std::string> languages, std::string_view wanted) {
    for (const auto& [tag, quality] : wishes_in(wanted)) {
        auto found = std::ranges::find_if(languages, [&](const auto& one) { return same(one, tag); });
        if (found == languages.end())
            found = std::ranges::find_if(languages, [&](const auto& one) {
                return same(primary(one), primary(tag));
            });
        if (found != languages.end()) return *found;
    }
    return std::nullopt;
}

std::optional<std::string> best_language(std::string_view wanted) {
    static const auto codes = [] {
        std::vector<std::string> out;
        for (const auto& language : spoken_languages()) out.push_back(language.code);
        return out;
    }();
    return best_of(codes, wanted);
}

std::string language_for(std::initializer_list<std::string_view> wishes) {
    for (auto wish : wishes)
        if (auto found = best_language(wish)) return *found;
    return std::string(english);
}

std::string plural_form(std::string_view language, std::int64_t number) {
    const auto& rules = plural_rules();
    auto found = rules.find(language);
    if (found == rules.end()) found = rules.find(english);
    // The rules take 32-bit numbers; in all languages, numbers from 1,000,000 on are decided by their last
    // digits.
    constexpr std::int64_t turn = 1'000'000;
    auto looked_at = number >= 2 * turn ? number % turn + turn : number;
    std::string out;
    found->second->select(static_cast<std::int32_t>(looked_at)).toUTF8String(out);
    return out;
}

}  // namespace base::text

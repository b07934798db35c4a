// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/written_time.hpp"

#include "base/text/utf8.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace http {

namespace {

using base::text::ascii_lowered;

constexpr std::array<std::string_view, 12> months{
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december"
};
constexpr std::array<std::string_view, 7> weekdays{
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"
};
// The zone names of RFC 2822.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> zones{
    {{"z", "Z"},
     {"ut", "Z"},
     {"utc", "Z"},
     {"gmt", "Z"},
     {"est", "-05:00"},
     {"edt", "-04:00"},
     {"cst", "-06:00"},
     {"cdt", "-05:00"},
     {"mst", "-07:00"},
     {"mdt", "-06:00"},
     {"pst", "-08:00"},
     {"pdt", "-07:00"}}
};

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

std::string two_digits(std::string_view number) {
    return (number.size() == 1 ? "0" : "") + std::string(number);
}

// The number of the name, counted from 1, that begins with this word of at least three letters; else 0.
template <std::size_t N>
std::size_t place_of(std::string_view word, const std::array<std::string_view, N>& names) {
    const auto low = ascii_lowered(word);
    const auto found = std::ranges::find_if(names, [&](auto name) { return name.starts_with(low); });
    return low.size() < 3 || found == names.end() ? 0 : static_cast<std::size_t>(found - names.begin()) + 1;
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> out;
    constexpr std::string_view between = " ,\t";
    for (auto at = text.find_first_not_of(between); at != text.npos;) {
        const auto end = std::min(text.find_first_of(between, at), text.size());
        out.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(between, end);
    }
    return out;
}

// The zone in ISO 8601 format; nullopt if it is not a zone.
std::optional<std::string> zone_of(std::string_view word) {
    if (word.empty()) return "Z";
    const auto low = ascii_lowered(word);
    if (auto named = std::ranges::find(zones, std::string_view(low), &decltype(zones)::value_type::first);
        named != zones.end())
        return std::string(named->second);
    if (low.starts_with("gmt") || low.starts_with("utc")) word.remove_prefix(3);
    if (!word.starts_with('+') && !word.starts_with('-')) return std::nullopt;
    return std::string(word);
}

// ISO 8601 requires two digits, so 3:04 becomes 03:04.
std::string clock_of(std::string_view word) {
    const auto colon = word.find(':');
    if (colon == word.npos) return {};
    return two_digits(word.substr(0, colon)) + std::string(word.substr(colon));
}

std::optional<base::Time> in_words(std::string_view text) {
    auto words = words_of(text.substr(0, text.find('(')));
    if (!words.empty() && place_of(words[0], weekdays)) words.erase(words.begin());
    if (words.size() != 4 && words.size() != 5) return std::nullopt;
    if (!is_number(words[0])) std::swap(words[0], words[1]);  // the month comes first
    const auto month = place_of(words[1], months);
    const auto clock = clock_of(words[3]);
    const auto zone = zone_of(words.size() == 5 ? words[4] : std::string_view{});
    const bool dated = is_number(words[0]) && words[0].size() <= 2 && words[2].size() == 4;
    if (!month || !dated || clock.empty() || !zone) return std::nullopt;
    const auto day =
        std::string(words[2]) + "-" + two_digits(std::to_string(month)) + "-" + two_digits(words[0]);
    return base::parse_time(day + "T" + clock + *zone);
}

std::optional<base::Time> without_hyphens(std::string_view text) {
    if (text.size() < 13 || !is_number(text.substr(0, 8)) || (text[8] != 'T' && text[8] != 't'))
        return std::nullopt;
    const auto end = std::min(text.find_first_not_of("0123456789", 9), text.size());
    const auto clock = std::string(text.substr(9, end - 9));
    if (clock.size() != 4 && clock.size() != 6) return std::nullopt;
    auto out = std::string(text.substr(0, 4)) + "-" + std::string(text.substr(4, 2)) + "-" +
               std::string(text.substr(6, 2)) + "T" + clock.substr(0, 2) + ":" + clock.substr(2, 2);
    if (clock.size() == 6) out += ":" + clock.substr(4);
    return base::parse_time(out + std::string(text.substr(end)));
}

}  // namespace

std::optional<base::Time> written_time(std::string_view text) {
    constexpr std::size_t longest = 100;
    if (text.size() > longest) return std::nullopt;
    if (auto iso = base::parse_time(text)) return iso;
    if (auto bare = without_hyphens(text)) return bare;
    if (text.size() > 7 && text[4] == '/' && text[7] == '/') {
        std::string iso(text);
        iso[4] = iso[7] = '-';
        return base::parse_time(iso);
    }
    return in_words(text);
}

}  // namespace http

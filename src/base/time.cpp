// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/time.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

namespace base {

namespace {

using namespace std::chrono;

constexpr std::array<const char*, 12> months = {
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
};

struct Civil {
    year_month_day day;
    std::int64_t in_day;  // milliseconds since midnight
};

Civil civil(std::int64_t ms) {
    auto whole = floor<days>(sys_time<milliseconds>(milliseconds(ms)));
    return {year_month_day(whole), ms - duration_cast<milliseconds>(whole.time_since_epoch()).count()};
}

template <int digits>
void put(char* at, std::int64_t value) {
    auto rest = static_cast<std::uint32_t>(value);
    for (int i = digits - 1; i >= 0; --i, rest /= 10) at[i] = static_cast<char>('0' + rest % 10);
}

// "YYYY-MM-DDTHH:MM:SS.mmmZ"; callers cut out what they need.
std::array<char, 24> stamp(std::int64_t ms) {
    // Only the years 0..9999 have four digits; for others the nearest such time is good enough to show.
    ms = std::min<std::int64_t>(std::max<std::int64_t>(ms, -62'167'219'200'000), 253'402'300'799'999);
    auto [day, rest] = civil(ms);
    std::array<char, 24> out{'0', '0', '0', '0', '-', '0', '0', '-', '0', '0', 'T', '0',
                             '0', ':', '0', '0', ':', '0', '0', '.', '0', '0', '0', 'Z'};
    put<4>(&out[0], static_cast<int>(day.year()));
    put<2>(&out[5], static_cast<unsigned>(day.month()));
    put<2>(&out[8], static_cast<unsigned>(day.day()));
    put<2>(&out[11], rest / 3'600'000);
    put<2>(&out[14], rest / 60'000 % 60);
    put<2>(&out[17], rest / 1000 % 60);
    put<3>(&out[20], rest % 1000);
    return out;
}

// Reads exactly `digits` digits, or fails.
bool take(std::string_view& text, std::size_t digits, int& out) {
    if (text.size() < digits) return false;
    auto [end, error] = std::from_chars(text.data(), text.data() + digits, out);
    if (error != std::errc{} || end != text.data() + digits || text[0] == '-' || text[0] == '+') return false;
    text.remove_prefix(digits);
    return true;
}

bool skip(std::string_view& text, char c) {
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
}

std::optional<std::int64_t> offset_of(std::string_view text) {
    if (text.empty() || text == "Z" || text == "z" || text == " UTC" || text == " GMT") return 0;
    skip(text, ' ');
    bool minus = text.starts_with('-');
    if (!minus && !text.starts_with('+')) return std::nullopt;
    text.remove_prefix(1);
    int hours = 0, minutes = 0;
    if (!take(text, 2, hours)) return std::nullopt;
    skip(text, ':');
    if (!text.empty() && (!take(text, 2, minutes) || !text.empty())) return std::nullopt;
    std::int64_t ms = (hours * 60 + minutes) * 60'000;
    return minus ? -ms : ms;
}

std::int64_t fraction(std::string_view& text) {
    if (!skip(text, '.') && !skip(text, ',')) return 0;
    std::int64_t ms = 0, unit = 100;
    while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
        ms += (text[0] - '0') * unit;
        unit /= 10;
        text.remove_prefix(1);
    }
    return ms;
}

}  // namespace

std::string to_string(Time t) {
    auto s = stamp(t.ms);
    return {s.data(), 24};
}

std::string to_string(Date d) {
    auto s = stamp(d.ms);
    return {s.data(), 10};
}

std::string to_string(WholeSeconds t) {
    auto s = stamp(t.ms);
    s[19] = 'Z';
    return {s.data(), 20};
}

std::string http_date(Time t) {
    static constexpr const char* weekdays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    auto s = stamp(t.ms);
    auto day = civil(t.ms).day;
    std::string out = weekdays[weekday(sys_days(day)).c_encoding()];
    out += ", " + std::string(&s[8], 2) + " " + months[static_cast<unsigned>(day.month()) - 1] + " ";
    out += std::string(&s[0], 4) + " " + std::string(&s[11], 8) + " GMT";
    return out;
}

std::optional<Time> parse_time(std::string_view text) {
    int y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0;
    if (!take(text, 4, y) || !skip(text, '-') || !take(text, 2, mo) || !skip(text, '-') || !take(text, 2, d))
        return std::nullopt;
    year_month_day day{year(y), month(static_cast<unsigned>(mo)), std::chrono::day(static_cast<unsigned>(d))};
    if (!day.ok()) return std::nullopt;
    std::int64_t ms = duration_cast<milliseconds>(sys_days(day).time_since_epoch()).count();
    if (text.empty()) return Time{ms};
    if (!skip(text, 'T') && !skip(text, 't') && !skip(text, ' ')) return std::nullopt;
    if (!take(text, 2, h) || !skip(text, ':') || !take(text, 2, mi) || h > 23 || mi > 59) return std::nullopt;
    std::int64_t part = 0;
    if (skip(text, ':')) {
        if (!take(text, 2, s) || s > 60) return std::nullopt;
        part = fraction(text);
    }
    auto offset = offset_of(text);
    if (!offset) return std::nullopt;
    return Time{ms + h * 3'600'000LL + mi * 60'000LL + s * 1000LL + part - *offset};
}

std::optional<Time> parse_http_date(std::string_view text) {
    const auto comma = text.find(", ");
    if (comma != 3) return std::nullopt;
    text.remove_prefix(comma + 2);
    std::string day(text.substr(0, std::min(text.find(' '), text.size())));
    text.remove_prefix(day.size());
    if (day.size() == 1) day = "0" + day;
    if (!skip(text, ' ') || text.size() < 9 || text[3] != ' ' || text[8] != ' ') return std::nullopt;
    const auto month = std::ranges::find(months, text.substr(0, 3));
    if (month == months.end()) return std::nullopt;
    std::string number = std::to_string(101 + (month - months.begin())).substr(1);
    // Without a zone it would silently be read as UTC.
    const auto clock = text.substr(9);
    if (clock.size() <= 8) return std::nullopt;
    return parse_time(std::string(text.substr(4, 4)) + "-" + number + "-" + day + "T" + std::string(clock));
}

}  // namespace base

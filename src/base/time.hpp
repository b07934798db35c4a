// SPDX-License-Identifier: AGPL-3.0-or-later
// A time is milliseconds since 1970 in UTC: a number in the database, ISO 8601 in JSON. Nothing here reads a
// clock; "now" comes from the session (db::Read::now).
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace base {

struct Time {
    std::int64_t ms = 0;
    auto operator<=>(const Time&) const = default;
    Time plus_seconds(std::int64_t s) const { return {ms + s * 1000}; }
    Time midnight() const { return {ms - ((ms % 86'400'000) + 86'400'000) % 86'400'000}; }
};

// A day, written YYYY-MM-DD in JSON; stored as the Time of its midnight.
struct Date {
    std::int64_t ms = 0;
    auto operator<=>(const Date&) const = default;
};

// A time written without its fraction, as some entities do (behaviours: section 2).
struct WholeSeconds {
    std::int64_t ms = 0;
    auto operator<=>(const WholeSeconds&) const = default;
};

std::string to_string(Time);          // 2026-01-02T03:04:05.678Z
std::string to_string(Date);          // 2026-01-02
std::string to_string(WholeSeconds);  // 2026-01-02T03:04:05Z
std::string http_date(Time);          // Fri, 02 Jan 2026 03:04:05 GMT

// ISO 8601 with or without fraction, with Z, an offset or none (then UTC); a date alone is its midnight.
std::optional<Time> parse_time(std::string_view);

// Sun, 06 Nov 1994 08:49:37 GMT, or with +0000 for GMT.
std::optional<Time> parse_http_date(std::string_view);

// Days in a time zone.

// When this day begins in the zone ("Europe/Berlin"); an unknown zone counts as UTC.
Time day_begins(Date day, std::string_view zone);
bool knows_time_zone(std::string_view name);

}  // namespace base

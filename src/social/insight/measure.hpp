// SPDX-License-Identifier: AGPL-3.0-or-later
// Statistics for the team by day in UTC: active users, events, data of another server. Computed on demand
// from the tables, on a reader.
#pragma once
#include "base/json.hpp"
#include "db/session.hpp"

#include <algorithm>

namespace insight {

// Days since 1970, both included.
struct Days {
    std::int64_t first = 0, last = 0;
    std::int64_t length() const { return last - first; }
};
// Limited to two years before the end.
Days days_between(base::Time start, base::Time end);

// The subject of a measure, if it has one.
struct About {
    base::TagId tag;
    std::string domain;
    bool include_subdomains = false;
};

struct DayValue {
    base::WholeSeconds date;
    std::string value;
};
DESCRIBE(DayValue, date, value)

struct Measure {
    static constexpr std::string_view entity = "Admin::Measure";
    std::string key;
    std::optional<std::string> unit;
    std::string total;
    base::json::Omit<std::string> human_value, previous_total;
    std::vector<DayValue> data;
};
DESCRIBE(Measure, key, unit, total, human_value, previous_total, data)

bool is_measure(std::string_view key);
Measure measure(db::Read&, const std::string& key, const Days&, const About&);

std::string human_bytes(std::int64_t);
// The domains of known accounts that match.
std::vector<std::string> domains_meant(db::Read&, const About&);

// Ids contain times: the smallest id that can be created on this day. Ids end in the year 6429, so days are
// clamped.
constexpr std::int64_t first_id_of(std::int64_t day) {
    constexpr std::int64_t last_day = 1'600'000;
    return std::clamp(day, -last_day, last_day) * 86'400'000 * 65'536;
}

}  // namespace insight

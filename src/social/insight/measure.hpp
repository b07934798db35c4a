// SPDX-License-Identifier: AGPL-3.0-or-later
// Figures for the team, day by day in UTC: who was here, what happened, what is known of another server. Counted when they
// are asked for, from the tables themselves, on a reader.
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
// Never more than two years before the end.
Days days_between(base::Time start, base::Time end);

// What a measure is about, where it is about something.
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
// The domains of accounts known here that are meant.
std::vector<std::string> domains_meant(db::Read&, const About&);

// Ids are times: the first that one made on this day can have. Those end in the year 6429, days that somebody asks for need not.
constexpr std::int64_t first_id_of(std::int64_t day) {
    constexpr std::int64_t last_day = 1'600'000;
    return std::clamp(day, -last_day, last_day) * 86'400'000 * 65'536;
}

}  // namespace insight

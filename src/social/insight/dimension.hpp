// SPDX-License-Identifier: AGPL-3.0-or-later
// Figures for the team, by kind: languages, apps, servers, room, versions; and how long those who sign up stay.
#pragma once
#include "social/insight/measure.hpp"

namespace insight {

struct DimensionRow {
    std::string key, human_key, value;
    base::json::Omit<std::string> unit, human_value;
};
DESCRIBE(DimensionRow, key, human_key, value, unit, human_value)

struct Dimension {
    static constexpr std::string_view entity = "Admin::Dimension";
    std::string key;
    std::vector<DimensionRow> data;
};
DESCRIBE(Dimension, key, data)

extern const db::Query<std::int64_t> room_of_database;  // in bytes

bool is_dimension(std::string_view key);
Dimension dimension(db::Read&, const std::string& key, const Days&, const About&, std::optional<int> limit);

// ---- retention ----

BOOST_DEFINE_ENUM_CLASS(Frequency, day, month)

struct Returned {
    base::WholeSeconds date;
    double rate = 0;
    std::string value;
};
DESCRIBE(Returned, date, rate, value)

// Who signed up in one day or month, and how many of them were seen in each since.
struct Cohort {
    static constexpr std::string_view entity = "Admin::Cohort";
    base::WholeSeconds period;
    Frequency frequency = Frequency::day;
    std::vector<Returned> data;
};
DESCRIBE(Cohort, period, frequency, data)

std::vector<Cohort> retention(db::Read&, base::Time start, base::Time end, Frequency);

}  // namespace insight

// SPDX-License-Identifier: AGPL-3.0-or-later
// Statistics for the team by category: languages, apps, servers, storage, versions; and the retention of new
// users.
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

// Users who signed up in one day or month, and how many of them were active in each later one.
struct Cohort {
    static constexpr std::string_view entity = "Admin::Cohort";
    base::WholeSeconds period;
    Frequency frequency = Frequency::day;
    std::vector<Returned> data;
};
DESCRIBE(Cohort, period, frequency, data)

std::vector<Cohort> retention(db::Read&, base::Time start, base::Time end, Frequency);

}  // namespace insight

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/insight/dimension.hpp"

#include <algorithm>
#include <chrono>
#include <map>

namespace insight {

namespace {

struct Stay {
    base::Time joined, seen;
};
DESCRIBE(Stay, joined, seen)

constexpr std::int64_t day_ms = 86'400'000;

// Days are counted since 1970, months too.
std::int64_t period_of(base::Time time, Frequency frequency) {
    auto day = time.midnight().ms / day_ms;
    if (frequency == Frequency::day) return day;
    const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
    return (static_cast<int>(date.year()) - 1970) * std::int64_t{12} + static_cast<unsigned>(date.month()) -
           1;
}

base::Time begin_of(std::int64_t period, Frequency frequency) {
    if (frequency == Frequency::day) return {period * day_ms};
    const std::chrono::year_month_day first{
        std::chrono::year(static_cast<int>(1970 + period / 12)),
        std::chrono::month(static_cast<unsigned>(period % 12) + 1),
        std::chrono::day(1)
    };
    return {std::chrono::sys_days(first).time_since_epoch().count() * day_ms};
}

}  // namespace

// The table users belongs to accounts. Users without any activity were not active on the first day either.
const db::Query<Stay> stays{
    "stays",
    R"(SELECT id / 65536 AS joined, COALESCE(last_active_at, -1) AS seen FROM users WHERE id >= $1 AND id < $2)"
};

std::vector<Cohort> retention(db::Read& db, base::Time start, base::Time end, Frequency frequency) {
    const std::int64_t most = frequency == Frequency::day ? 31 : 12;
    auto last = period_of(end, frequency), first = std::max(period_of(start, frequency), last - most);
    if (first > last) return {};
    // For each cohort, users by the last period in which they were active; those who never were count only
    // for its size.
    std::map<std::int64_t, std::map<std::int64_t, std::int64_t>> seen;
    std::map<std::int64_t, std::int64_t> sizes;
    auto from = first_id_of(begin_of(first, frequency).ms / day_ms),
         beyond = first_id_of(begin_of(last + 1, frequency).ms / day_ms);
    db.each(
        stays,
        [&](const Stay& one) {
            auto cohort = period_of(one.joined, frequency);
            ++sizes[cohort];
            if (one.seen.ms >= 0) ++seen[cohort][period_of(one.seen, frequency)];
        },
        from,
        beyond
    );
    std::vector<Cohort> out;
    for (auto cohort = first; cohort <= last; ++cohort) {
        Cohort one{{begin_of(cohort, frequency).ms}, frequency, {}};
        for (auto period = cohort; period <= last; ++period) {
            std::int64_t value = 0;
            for (const auto& [when, count] : seen[cohort])
                if (when >= period) value += count;
            auto rate =
                static_cast<double>(value) / static_cast<double>(std::max<std::int64_t>(sizes[cohort], 1));
            one.data.push_back({{begin_of(period, frequency).ms}, rate, std::to_string(value)});
        }
        out.push_back(std::move(one));
    }
    return out;
}

}  // namespace insight

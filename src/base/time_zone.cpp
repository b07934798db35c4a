// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/time.hpp"

#include <unicode/timezone.h>

#include <memory>

namespace base {

namespace {

// For an unknown name, ICU returns a zone named "unknown".
std::unique_ptr<icu::TimeZone> zone_called(std::string_view name) {
    return std::unique_ptr<icu::TimeZone>(icu::TimeZone::createTimeZone(
        icu::UnicodeString::fromUTF8({name.data(), static_cast<int32_t>(name.size())})
    ));
}

}  // namespace

bool knows_time_zone(std::string_view name) { return *zone_called(name) != icu::TimeZone::getUnknown(); }

Time day_begins(Date day, std::string_view name) {
    if (name.empty()) return {day.ms};
    auto zone = zone_called(name);
    int32_t offset = 0, summer = 0;
    auto error = U_ZERO_ERROR;
    zone->getOffset(static_cast<UDate>(day.ms), true, offset, summer, error);  // from a local time
    return U_FAILURE(error) ? Time{day.ms} : Time{day.ms - offset - summer};
}

}  // namespace base

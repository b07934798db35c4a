// SPDX-License-Identifier: AGPL-3.0-or-later
// Days as people count them: in a time zone.
#pragma once
#include "base/time.hpp"

namespace base {

// When this day begins in the zone ("Europe/Berlin"); an unknown zone is UTC.
Time day_begins(Date day, std::string_view zone);

}  // namespace base

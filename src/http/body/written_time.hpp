// SPDX-License-Identifier: AGPL-3.0-or-later
// A time in any format that clients send. Besides ISO 8601 (base/time.hpp) these are
//
//   Fri, 02 Jan 2026 03:04:05 +0100     RFC 2822, also without the day of the week or the seconds
//   Fri, 02 Jan 2026 03:04:05 GMT       and with the zone names defined there
//   Fri Jan 02 2026 03:04:05 GMT+0100 (Central European Standard Time)
//                                       as JavaScript prints it
//   January 2, 2026 3:04                as people write
//   20260102T030405Z                    ISO 8601 without hyphens and colons
//   2026/01/02 03:04
//
// each also without a zone, which then is UTC. Ambiguous dates such as 01/02/2026 are rejected, and so is a
// number of seconds.
#pragma once
#include "base/time.hpp"

namespace http {

std::optional<base::Time> written_time(std::string_view);

}  // namespace http

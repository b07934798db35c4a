// SPDX-License-Identifier: AGPL-3.0-or-later
// JSON whose numbers are the nearest doubles to what was written. Boost.JSON before 1.83 is off by a last digit now
// and then: nobody sees it, but a hash does.
#pragma once
#include <boost/json/value.hpp>

#include <optional>
#include <string_view>

namespace ap {

constexpr std::size_t deepest_json = 32;

std::optional<boost::json::value> parse_exactly(
    std::string_view text, boost::json::storage_ptr memory = {}, std::size_t depth = deepest_json
);

}  // namespace ap

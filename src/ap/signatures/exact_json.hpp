// SPDX-License-Identifier: AGPL-3.0-or-later
// JSON whose numbers are the nearest doubles to what was written. Boost.JSON before 1.83 is off by a last digit now
// and then: nobody sees it, but a hash does.
#pragma once
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace ap {

constexpr std::size_t deepest_json = 32;

std::optional<boost::json::value> parse_exactly(
    std::string_view text, boost::json::storage_ptr memory = {}, std::size_t depth = deepest_json
);

// The canonical text of JSON (RFC 8785). For values of strangers parse with ap/signatures/exact_json.hpp.

// Numbers are doubles, as the RFC has them: whole ones beyond 2^53 lose digits.
std::string jcs(const boost::json::value&);
std::string jcs_number(double);  // finite; as ECMAScript writes it

}  // namespace ap

// SPDX-License-Identifier: AGPL-3.0-or-later
// The canonical text of JSON (RFC 8785). For values of strangers parse with ap/signatures/exact_json.hpp.
#pragma once
#include <boost/json/value.hpp>

#include <string>

namespace ap {

// Numbers are doubles, as the RFC has them: whole ones beyond 2^53 lose digits.
std::string jcs(const boost::json::value&);
std::string jcs_number(double);  // finite; as ECMAScript writes it

}  // namespace ap

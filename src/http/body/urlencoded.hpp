// SPDX-License-Identifier: AGPL-3.0-or-later
// Query strings and bodies of application/x-www-form-urlencoded.
#pragma once
#include "base/text/percent.hpp"
#include "http/body/params.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace http {

// A name without `=` is not given, as in Rack. Malformed %xx stands for itself.
void read_urlencoded(std::string_view text, Params& into);

// The same as plain pairs: not cleaned, not bounded, names as they came.
std::vector<std::pair<std::string, std::string>> read_urlencoded(std::string_view text);

// Of one segment of a path: `+` stands for itself.
using base::text::percent_decoded;

// All but letters, digits and -._~ becomes %XX; good in queries and in paths.
std::string percent_encoded(std::string_view text);

}  // namespace http

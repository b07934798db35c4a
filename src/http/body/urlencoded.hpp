// SPDX-License-Identifier: AGPL-3.0-or-later
// Query strings and application/x-www-form-urlencoded bodies.
#pragma once
#include "base/text/percent.hpp"
#include "http/body/params.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace http {

// A name without `=` is ignored, as in Rack. Malformed %xx is kept as it is.
void read_urlencoded(std::string_view text, Params& into);

// The same as plain pairs: not cleaned, not limited, names unchanged.
std::vector<std::pair<std::string, std::string>> read_urlencoded(std::string_view text);

// Of one segment of a path: `+` stands for itself.
using base::text::percent_decoded;

// Encodes everything but letters, digits and -._~ as %XX; suitable for queries and paths.
std::string percent_encoded(std::string_view text);

}  // namespace http

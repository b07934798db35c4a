// SPDX-License-Identifier: AGPL-3.0-or-later
// A JSON body, flattened to parameters. Scalars in a list become `x[]`, objects and lists in it `x[0]`; null
// is not given; a list with nothing in it is kept as an empty list; numbers and booleans become their text.
#pragma once
#include "http/body/params.hpp"

#include <string_view>

namespace http {

// Throws base::BadRequest when it is malformed or nested deeper than 32. Anything but an object at the top is
// ignored, and so is an empty body.
void read_json(std::string_view body, Params& into);

}  // namespace http

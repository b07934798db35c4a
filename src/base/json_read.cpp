// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json_read.hpp"

#include <boost/json/parse.hpp>

namespace base::json {

boost::json::value parse(std::string_view text) { return boost::json::parse(text); }

}  // namespace base::json

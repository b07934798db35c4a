// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include "http/message.hpp"

namespace http {

// The object with this name in a JSON body, as JSON: as parameters, its numbers and booleans would become
// text. Throws base::BadRequest.
std::string object_in_body(const Request&, std::string_view name);

}  // namespace http

// SPDX-License-Identifier: AGPL-3.0-or-later
// The API's own documentation: as OpenAPI at /api/openapi.json, for people at /api.
#pragma once
#include "http/route.hpp"

#include <span>
#include <string>

namespace server {

const std::string& openapi();  // JSON; generated once
std::span<const http::Route> api_pages();

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
// The generated pages of docs/: the API from the routes, the configuration from the table of options.
#pragma once
#include "http/route.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace server {

std::vector<const http::Route*> sorted_routes();  // by path and method
std::string_view word_of(http::Auth);             // none, optional, token, user

std::string api_page();
std::string config_page();

}  // namespace server

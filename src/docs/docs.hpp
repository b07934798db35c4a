// SPDX-License-Identifier: AGPL-3.0-or-later
// The generated pages of docs/: the API from the routes, the configuration from the options table.
#pragma once
#include "http/route.hpp"

#include <span>
#include <string>
#include <string_view>

namespace server {

std::string_view word_of(http::Auth);  // none, optional, token, user

std::string api_page(std::span<const http::Route* const>);
std::string config_page();

}  // namespace server

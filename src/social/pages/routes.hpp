// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <span>

namespace http {
struct Route;
}

namespace pages {
std::span<const http::Route> oembed_routes();
std::span<const http::Route> profile_routes();
}  // namespace pages

// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <span>

namespace http {
struct Route;
}

namespace tags {
std::span<const http::Route> routes();
std::span<const http::Route> featured_routes();
std::span<const http::Route> profile_routes();
}  // namespace tags

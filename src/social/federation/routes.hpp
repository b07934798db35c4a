// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <span>

namespace http {
struct Route;
}

namespace federation {
std::span<const http::Route> webfinger_routes();
std::span<const http::Route> actor_routes();
std::span<const http::Route> object_routes();
std::span<const http::Route> featured_routes();
std::span<const http::Route> inbox_routes();
std::span<const http::Route> claim_routes();
}  // namespace federation

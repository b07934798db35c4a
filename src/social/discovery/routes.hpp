// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <span>

namespace http {
struct Route;
}

namespace discovery {
std::span<const http::Route> routes();
std::span<const http::Route> trend_routes();
std::span<const http::Route> annual_report_routes();
std::span<const http::Route> directory_routes();
std::span<const http::Route> suggestion_routes();
}  // namespace discovery

// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <span>

namespace http {
struct Route;
}

namespace timelines {
std::span<const http::Route> routes();
std::span<const http::Route> link_routes();
}  // namespace timelines

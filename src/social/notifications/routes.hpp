// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <span>

namespace http {
struct Route;
}

namespace notifications {
std::span<const http::Route> routes();
std::span<const http::Route> group_routes();
std::span<const http::Route> policy_routes();
std::span<const http::Route> request_routes();
}  // namespace notifications

// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <span>

namespace http {
struct Route;
}

namespace statuses {
std::span<const http::Route> routes();
std::span<const http::Route> interaction_routes();
std::span<const http::Route> quote_routes();
std::span<const http::Route> edit_routes();
std::span<const http::Route> poll_routes();
std::span<const http::Route> scheduled_routes();
std::span<const http::Route> filtered_status_routes();
std::span<const http::Route> translation_routes();
}  // namespace statuses

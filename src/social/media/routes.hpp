// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <span>

namespace http {
struct Route;
}

namespace media {
std::span<const http::Route> routes();
std::span<const http::Route> proxy_routes();
}  // namespace media

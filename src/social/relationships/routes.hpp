// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <span>

namespace http {
struct Route;
}

namespace relationships {
std::span<const http::Route> routes();
std::span<const http::Route> list_routes();
std::span<const http::Route> domain_block_routes();
}  // namespace relationships

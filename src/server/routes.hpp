// SPDX-License-Identifier: AGPL-3.0-or-later
// The whole API on one screen: one line for each slice.
#pragma once
#include "http/route.hpp"

#include <span>
#include <vector>

namespace server {

std::vector<std::span<const http::Route>> routes();
std::vector<const http::Route*> sorted_routes();  // by path and method

}  // namespace server

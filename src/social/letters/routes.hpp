// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <span>

namespace http {
struct Route;
}

namespace letters {

std::span<const http::Route> routes();

}  // namespace letters

// SPDX-License-Identifier: AGPL-3.0-or-later
// Entities that no route returns as a struct, since they are put together from parts: how OpenAPI describes each.
#pragma once
#include "base/schema.hpp"

#include <span>

namespace server {

std::span<const base::json::Describe> entities();

}  // namespace server

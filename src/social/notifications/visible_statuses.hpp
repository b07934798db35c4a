// SPDX-License-Identifier: AGPL-3.0-or-later
// The JSON of statuses that entities mention, by id; those that are gone or hidden are left out.
#pragma once
#include "social/statuses/core/visibility.hpp"

#include <string>
#include <unordered_map>

namespace notifications {

using StatusTexts = std::unordered_map<base::StatusId, std::string>;

StatusTexts visible_statuses(db::Read&, const statuses::Audience&, const std::vector<base::StatusId>& ids);

}  // namespace notifications

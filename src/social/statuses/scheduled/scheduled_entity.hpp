// SPDX-License-Identifier: AGPL-3.0-or-later
// Entity ScheduledStatus.
#pragma once
#include "base/schema.hpp"
#include "social/statuses/scheduled/scheduled.hpp"

namespace statuses {

std::string scheduled_json(db::Read&, const std::vector<Scheduled>&);  // an array
std::string scheduled_json(db::Read&, const Scheduled&);

void describe_scheduled(base::json::Components&);  // for OpenAPI

}  // namespace statuses

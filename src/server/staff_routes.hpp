// SPDX-License-Identifier: AGPL-3.0-or-later
// Which routes are for staff, and the permission each requires. Checked before anything else in the request,
// so that no response reveals what the caller may not see. Every route below these paths must be in the
// table.
#pragma once
#include "http/route.hpp"

#include <unordered_map>
#include <unordered_set>

namespace server {

// Whether everything below this path is for staff.
bool is_for_staff(std::string_view path);

// The role bits of which one is required; 0: any user. Throws for a staff route that is missing from the
// table, which is a bug.
std::int64_t permissions_for(const http::Route&);

std::unordered_map<const http::Route*, std::int64_t> staff_routes();

// Also available to users suspended or frozen by staff: what was done to them, and their appeal.
std::unordered_set<const http::Route*> routes_of_suspended();

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
// Which routes are for staff, and what a role must allow to open each. Looked at before anything else of the request is, so
// that nobody learns from an answer what they may not see. Every route below these paths stands in the table.
#pragma once
#include "http/route.hpp"

#include <unordered_map>
#include <unordered_set>

namespace server {

// Whether everything below this path is for staff.
bool is_for_staff(std::string_view path);

// The role bits of which one is needed; 0: any user. Throws at a route for staff that is not in the table: a mistake in the
// program.
std::int64_t permissions_for(const http::Route&);

std::unordered_map<const http::Route*, std::int64_t> staff_routes();

// Open to those, too, whom staff has suspended or frozen: what was done about them, and their say.
std::unordered_set<const http::Route*> routes_of_suspended();

}  // namespace server

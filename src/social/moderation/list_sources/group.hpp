// SPDX-License-Identifier: AGPL-3.0-or-later
// A group of subscribed lists acts as one: it recommends for a domain what enough of its members recommend
// for exactly that domain. It is a source itself, whose copy is computed from theirs.
#pragma once
#include "social/moderation/list_sources/source.hpp"

namespace moderation {

std::vector<ListSource> members_of_group(db::Read&, ListSourceId);
std::vector<ListSourceId> member_ids(db::Read&, ListSourceId group);
std::vector<ListSourceId> groups_of(db::Read&, ListSourceId member);

// Each effect that at least `agree` members recommend: a domain is suspended if so many suspend it, else
// limited if so many limit or suspend it; likewise for media and reports. Throws Unreadable when there are
// too many entries.
Copy agreement(db::Read&, const ListSource& group);

// Throws Invalid when one of them cannot be in a group, or when more must agree than there are.
void set_members(db::Write&, ListSourceId group, std::int64_t agree, const std::vector<ListSourceId>&);
// Removes it from all groups, and all members from it.
void leave_groups(db::Write&, ListSourceId);
// Its entries have changed: the groups that contain it are computed again.
void tell_groups(db::Write&, ListSourceId member);

}  // namespace moderation

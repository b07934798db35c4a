// SPDX-License-Identifier: AGPL-3.0-or-later
// A group of subscribed lists counts as one: it says of a domain what enough of its members say of that very domain. It is a source
// itself, whose copy is worked out from theirs and not read anywhere.
#pragma once
#include "social/moderation/list_sources/source.hpp"

namespace moderation {

std::vector<ListSource> members_of_group(db::Read&, ListSourceId);
std::vector<ListSourceId> member_ids(db::Read&, ListSourceId group);
std::vector<ListSourceId> groups_of(db::Read&, ListSourceId member);

// Of each thing that rules do what so many members ask for: a domain is suspended if so many suspend it, else limited if so many
// limit or suspend it; so with media and reports. Throws Unreadable: it is too much.
Copy agreement(db::Read&, const ListSource& group);

// Throws Invalid: one of them is no list that can be in a group, or more have to agree than there are.
void set_members(db::Write&, ListSourceId group, std::int64_t agree, const std::vector<ListSourceId>&);
// It is in no group any more, and has no members.
void leave_groups(db::Write&, ListSourceId);
// What it says has changed: the groups that it is in work out again what they say.
void tell_groups(db::Write&, ListSourceId member);

}  // namespace moderation

// SPDX-License-Identifier: AGPL-3.0-or-later
// Hashtags: one row a name. The name is the normalised form, the display name how it was first written.
#pragma once
#include "db/session.hpp"

namespace tags {

struct Tag {
    base::TagId id;
    std::string name, display_name;
};
DESCRIBE(Tag, id, name, display_name)

std::optional<Tag> find_tag(db::Read&, std::string_view name);
// By name, the exact one first.
std::vector<Tag> starting_with(db::Read&, std::string_view prefix, int limit, int offset);
base::TagId put(db::Write&, std::string_view name, std::string_view display_name);

}  // namespace tags

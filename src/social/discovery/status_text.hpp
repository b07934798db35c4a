// SPDX-License-Identifier: AGPL-3.0-or-later
// What each status is found by: its words, and marks for what search operators ask of it.
#pragma once
#include "db/full_text.hpp"
#include "db/session.hpp"

#include <map>
#include <vector>

namespace discovery {

using base::StatusId;

// Without those that are deleted or reblogs: nothing finds them. The number of statements does not depend on how many
// are asked for.
std::map<StatusId, db::IndexedText> texts_of(db::Read&, const std::vector<StatusId>&);

}  // namespace discovery

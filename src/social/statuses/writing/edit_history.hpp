// SPDX-License-Identifier: AGPL-3.0-or-later
// Keeping what a status said. Private to the slice.
#pragma once
#include "social/statuses/writing/edit.hpp"

namespace statuses {

Snapshot snapshot(db::Read&, const Editable&);  // what it says now
void record(db::Write&, StatusId, const Snapshot&);
bool was_edited(db::Read&, StatusId);

}  // namespace statuses

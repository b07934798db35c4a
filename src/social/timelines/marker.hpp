// SPDX-License-Identifier: AGPL-3.0-or-later
// How far a user has read: one marker for home, one for notifications.
#pragma once
#include "base/json.hpp"
#include "db/session.hpp"

namespace timelines {

struct MarkerRow {
    std::string timeline;
    std::int64_t last_read_id = 0, version = 0;
    base::Time updated_at;
};
DESCRIBE(MarkerRow, timeline, last_read_id, version, updated_at)

std::vector<MarkerRow> markers(db::Read&, base::AccountId);
// `seen` are the markers as read when the request arrived. Throws Conflict if another client has moved this
// one since.
void set_marker(
    db::Write&, base::AccountId, std::string_view timeline, std::int64_t last_read,
    const std::vector<MarkerRow>& seen
);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_markers;

}  // namespace timelines

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/timelines/marker.hpp"

#include <algorithm>

namespace timelines {

const db::Query<MarkerRow> markers_of{
    "markers_of",
    "SELECT timeline, last_read_id, version, updated_at FROM markers WHERE account_id = $1 ORDER BY timeline"
};

std::vector<MarkerRow> markers(db::Read& db, base::AccountId account) { return db.all(markers_of, account); }

const db::Query<std::int64_t> marker_version{
    "marker_version", "SELECT version FROM markers WHERE account_id = $1 AND timeline = $2"
};
const db::Command put_marker{
    "put_marker",
    R"(INSERT INTO markers (account_id, timeline, last_read_id, version, updated_at) VALUES ($1, $2, $3, 0, $4)
       ON CONFLICT (account_id, timeline) DO UPDATE SET
           last_read_id = excluded.last_read_id, version = markers.version + 1, updated_at = excluded.updated_at)"
};

void set_marker(
    db::Write& db, base::AccountId account, std::string_view timeline, std::int64_t last_read,
    const std::vector<MarkerRow>& seen
) {
    auto found = std::ranges::find(seen, timeline, &MarkerRow::timeline);
    auto expected = found == seen.end() ? std::nullopt : std::optional(found->version);
    if (db.maybe(marker_version, account, timeline) != expected)
        throw base::Conflict("Conflict during update, please try again");
    db.run(put_marker, account, timeline, last_read, db.now());
}

const db::Command drop_own_markers{
    "drop_own_markers",
    R"(DELETE FROM markers WHERE account_id = $1 AND timeline IN (
           SELECT timeline FROM markers WHERE account_id = $1 ORDER BY timeline LIMIT $2))"
};

}  // namespace timelines

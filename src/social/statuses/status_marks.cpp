// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/status_marks.hpp"

#include <algorithm>

namespace statuses {

namespace {

BOOST_DEFINE_ENUM_CLASS(Kind, favourite, reblog, bookmark)

struct MarkRow {
    StatusId status_id;
    Kind kind = Kind::favourite;
};
DESCRIBE(MarkRow, status_id, kind)

}  // namespace

// A page of a timeline is a short stretch of ids in which one viewer has marked little, so walking the marks of the
// stretch costs one step a kind where asking for each status costs one a status.
const db::Query<MarkRow> marks_between{
    "marks_between",
    R"(SELECT status_id, 'favourite' AS kind FROM favourites WHERE account_id = $1 AND status_id BETWEEN $2 AND $3
       UNION ALL
       SELECT reblog_of_id, 'reblog' FROM statuses
       WHERE account_id = $1 AND reblog_of_id BETWEEN $2 AND $3 AND reblog_of_id IS NOT NULL AND deleted_at IS NULL
       UNION ALL
       SELECT status_id, 'bookmark' FROM bookmarks WHERE account_id = $1 AND status_id BETWEEN $2 AND $3
       LIMIT $4)"
};

const db::Query<MarkRow> marks_on{
    "marks_on",
    R"(SELECT status_id, 'favourite' AS kind FROM favourites
       WHERE account_id = $1 AND status_id IN (SELECT value FROM json_each($2))
       UNION ALL
       SELECT reblog_of_id, 'reblog' FROM statuses
       WHERE account_id = $1 AND reblog_of_id IN (SELECT value FROM json_each($2)) AND deleted_at IS NULL
       UNION ALL
       SELECT status_id, 'bookmark' FROM bookmarks
       WHERE account_id = $1 AND status_id IN (SELECT value FROM json_each($2)))",
    R"(SELECT status_id, 'favourite' AS kind FROM favourites
       WHERE account_id = $1 AND status_id = ANY($2::bigint[])
       UNION ALL
       SELECT reblog_of_id, 'reblog' FROM statuses
       WHERE account_id = $1 AND reblog_of_id = ANY($2::bigint[]) AND deleted_at IS NULL
       UNION ALL
       SELECT status_id, 'bookmark' FROM bookmarks
       WHERE account_id = $1 AND status_id = ANY($2::bigint[]))"
};

std::unordered_map<StatusId, Marks> marks(db::Read& db, AccountId viewer, std::span<const Facts> facts) {
    std::unordered_map<StatusId, Marks> out;
    if (!viewer || facts.empty()) return out;
    constexpr std::size_t most = 300;
    auto [first, last] = std::ranges::minmax(facts, {}, &Facts::original_id);
    auto rows =
        db.all(marks_between, viewer, first.original_id, last.original_id, static_cast<std::int64_t>(most));
    if (rows.size() == most) {
        std::vector<StatusId> ids;
        for (const auto& f : facts) ids.push_back(f.original_id);
        rows = db.all(marks_on, viewer, ids);
    }
    for (const auto& row : rows) {
        auto& marks = out[row.status_id];
        switch (row.kind) {
            case Kind::favourite: marks.favourited = true; break;
            case Kind::reblog: marks.reblogged = true; break;
            case Kind::bookmark: marks.bookmarked = true; break;
        }
    }
    return out;
}

}  // namespace statuses

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/trend_candidates.hpp"

#include <algorithm>
#include <map>

namespace discovery {

using base::StatusId;

#define MARKED                                                                                        \
    "SELECT s.id, s.account_id AS author, s.language, s.created_at, "                                 \
    "(SELECT count(*) FROM (SELECT f.account_id FROM favourites f WHERE f.status_id = s.id UNION "    \
    "SELECT b.account_id FROM statuses b WHERE b.reblog_of_id = s.id AND b.deleted_at IS NULL) one) " \
    "AS accounts "
#define MAY_TREND                                                                                          \
    "AND s.deleted_at IS NULL AND s.visibility = 'public' AND s.reblog_of_id IS NULL "                     \
    "AND s.in_reply_to_account_id IS NULL AND s.sensitive = FALSE AND s.spoiler_text = '' AND s.language " \
    "IS NOT "                                                                                              \
    "NULL "                                                                                                \
    "AND s.favourites_count + s.reblogs_count >= 5 AND s.created_at >= $2 AND " COUNTED_AUTHOR

// The tables favourites and statuses belong to statuses.
const db::Query<MarkedStatus> statuses_with_marks{
    "statuses_with_marks",
    MARKED
    "FROM json_each($1) j CROSS JOIN statuses s ON s.id = j.value JOIN accounts a ON a.id = s.account_id "
    "WHERE TRUE " MAY_TREND,
    MARKED "FROM statuses s JOIN accounts a ON a.id = s.account_id WHERE s.id = ANY($1::bigint[]) " MAY_TREND
};

namespace {

constexpr std::int64_t window_seconds = 3600, settling_seconds = 60;
constexpr int chunk = 2000;

std::int64_t first_id(base::Time at) { return at.ms << 16; }

struct Mark {
    std::int64_t id = 0;
    StatusId status;  // 0: no mark
};
DESCRIBE(Mark, id, status)

}  // namespace

std::vector<MarkedStatus> marked_statuses(db::Read& db, const std::vector<StatusId>& ids) {
    constexpr std::int64_t two_days = 2 * 86'400;
    return db.all(statuses_with_marks, ids, db.now().plus_seconds(-two_days));
}

const db::Query<Mark> next_favourites{
    "next_favourites", "SELECT id, status_id AS status FROM favourites WHERE id > $1 ORDER BY id LIMIT $2"
};
// Scans all statuses, of which some are boosts: the number of boosts would not limit the work.
const db::Query<Mark> next_boosts{
    "next_boosts",
    R"(SELECT id, CASE WHEN deleted_at IS NULL THEN COALESCE(reblog_of_id, 0) ELSE 0 END AS status
       FROM statuses WHERE id > $1 ORDER BY id LIMIT $2)"
};
const db::Query<std::int64_t> trend_cursor{
    "trend_cursor", "SELECT after_id FROM trend_cursors WHERE kind = $1"
};
const db::Command put_trend_cursor{
    "put_trend_cursor",
    R"(INSERT INTO trend_cursors (kind, after_id) VALUES ($1, $2)
       ON CONFLICT (kind) DO UPDATE SET after_id = excluded.after_id)"
};
const db::Command put_trend_candidate{
    "put_trend_candidate",
    R"(INSERT INTO trend_candidates (status_id, author_id, language, created_at, accounts, marked_at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (status_id) DO UPDATE SET accounts = excluded.accounts,
           marked_at = CASE WHEN trend_candidates.marked_at > excluded.marked_at THEN trend_candidates.marked_at
                            ELSE excluded.marked_at END)"
};

namespace {

// Recent marks are examined again: with several nodes, ids do not become visible in their order.
void look_at(
    db::Read& db, const db::Query<Mark>& next, const char* kind, Marks& out,
    std::map<StatusId, std::int64_t>& last
) {
    auto window = first_id(db.now().plus_seconds(-window_seconds));
    auto settled = first_id(db.now().plus_seconds(-settling_seconds));
    auto marks = db.all(next, std::max(db.maybe(trend_cursor, kind).value_or(0), window), chunk);
    if (marks.empty()) return;
    for (const auto& mark : marks)
        if (mark.status) last[mark.status] = std::max(last[mark.status], mark.id);
    bool more = marks.size() == chunk;
    out.looked_at.emplace_back(kind, more ? marks.back().id : std::min(marks.back().id, settled));
    out.more = out.more || more;
}

}  // namespace

Marks next_marks(db::Read& db) {
    Marks out;
    std::map<StatusId, std::int64_t> last;
    look_at(db, next_favourites, "favourite", out, last);
    look_at(db, next_boosts, "boost", out, last);
    std::vector<StatusId> ids;
    for (const auto& [status, mark] : last) ids.push_back(status);
    out.statuses = marked_statuses(db, ids);
    for (const auto& status : out.statuses) out.marked_at.push_back(last[status.id]);
    return out;
}

const db::Command forget_old_candidates{
    "forget_old_candidates",
    R"(DELETE FROM trend_candidates WHERE status_id IN (
           SELECT status_id FROM trend_candidates WHERE marked_at < $1 LIMIT $2))"
};

void keep(db::Write& db, const Marks& marks) {
    db.run(forget_old_candidates, first_id(db.now().plus_seconds(-window_seconds)), chunk);
    for (std::size_t i = 0; i < marks.statuses.size(); ++i) {
        const auto& s = marks.statuses[i];
        db.run(put_trend_candidate, s.id, s.author, s.language, s.created_at, s.accounts, marks.marked_at[i]);
    }
    for (const auto& [kind, id] : marks.looked_at) db.run(put_trend_cursor, kind, id);
}

const db::Query<MarkedStatus> candidates_of_window{
    "candidates_of_window",
    R"(SELECT status_id AS id, author_id AS author, language, created_at, accounts FROM trend_candidates
       WHERE marked_at >= $1)"
};

std::vector<MarkedStatus> trend_candidates(db::Read& db) {
    return db.all(candidates_of_window, first_id(db.now().plus_seconds(-window_seconds)));
}

}  // namespace discovery

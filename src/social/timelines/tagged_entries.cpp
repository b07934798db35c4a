// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/timelines/tagged_entries.hpp"

#include "social/statuses/facts_sql.hpp"

namespace timelines {

using statuses::FactsRow;

// status_tags and statuses belong to statuses. As in the timeline of a tag, limited authors are left out.
#define USABLE "s.deleted_at IS NULL AND s.visibility = 'public' AND a.silenced_at IS NULL "

// A stretch of home is short, so mostly there is little under the tags in it.
const db::Query<FactsRow> tagged_between{
    "tagged_between",
    "SELECT " STATUS_FACTS
    "FROM json_each($1) t CROSS JOIN status_tags x ON x.tag_id = t.value "
    "AND x.status_id > $2 AND x.status_id < $3 CROSS JOIN statuses s ON s.id = "
    "x.status_id " STATUS_FACTS_JOINS "WHERE " USABLE "LIMIT $4",
    "SELECT " STATUS_FACTS "FROM status_tags x JOIN statuses s ON s.id = x.status_id " STATUS_FACTS_JOINS
    "WHERE x.tag_id = ANY($1::bigint[]) AND x.status_id > $2 AND x.status_id < $3 AND " USABLE "LIMIT $4"
};

// Where there is much, no more is read of each tag than the page could need: $4 is that less one.
const db::Query<StatusId> tagged_newest{
    "tagged_newest",
    R"(SELECT x.status_id FROM json_each($1) t CROSS JOIN status_tags x ON x.tag_id = t.value AND x.status_id < $3
           AND x.status_id >= COALESCE((SELECT y.status_id FROM status_tags y WHERE y.tag_id = t.value
               AND y.status_id > $2 AND y.status_id < $3 ORDER BY y.status_id DESC LIMIT 1 OFFSET $4), $2 + 1))",
    R"(SELECT x.status_id FROM unnest($1::bigint[]) t(id) CROSS JOIN LATERAL (
           SELECT y.status_id FROM status_tags y WHERE y.tag_id = t.id AND y.status_id > $2 AND y.status_id < $3
           ORDER BY y.status_id DESC LIMIT $4 + 1) x)"
};
const db::Query<StatusId> tagged_oldest{
    "tagged_oldest",
    R"(SELECT x.status_id FROM json_each($1) t CROSS JOIN status_tags x ON x.tag_id = t.value AND x.status_id > $2
           AND x.status_id <= COALESCE((SELECT y.status_id FROM status_tags y WHERE y.tag_id = t.value
               AND y.status_id > $2 AND y.status_id < $3 ORDER BY y.status_id LIMIT 1 OFFSET $4), $3 - 1))",
    R"(SELECT x.status_id FROM unnest($1::bigint[]) t(id) CROSS JOIN LATERAL (
           SELECT y.status_id FROM status_tags y WHERE y.tag_id = t.id AND y.status_id > $2 AND y.status_id < $3
           ORDER BY y.status_id LIMIT $4 + 1) x)"
};
const db::Query<FactsRow> tagged_among{
    "tagged_among",
    "SELECT " STATUS_FACTS "FROM json_each($1) j CROSS JOIN statuses s ON s.id = j.value " STATUS_FACTS_JOINS
    "WHERE " USABLE,
    "SELECT " STATUS_FACTS "FROM statuses s " STATUS_FACTS_JOINS "WHERE s.id = ANY($1::bigint[]) AND " USABLE
};

namespace {

template <class... A>
std::vector<Facts> facts_from(db::Read& db, const db::Query<FactsRow>& sql, const A&... arguments) {
    std::vector<Facts> found;
    db.each(sql, [&](const FactsRow& row) { found.push_back(statuses::facts_of(row)); }, arguments...);
    return found;
}

Stretch much_tagged(db::Read& db, const TagIds& tags, const base::Range& range) {
    const auto& sql = range.ascending ? tagged_oldest : tagged_newest;
    auto ids = db.all(sql, tags, range.above, range.below, std::int64_t{range.limit} - 1);
    std::ranges::sort(ids, {}, [&](StatusId id) { return range.ascending ? id.value : -id.value; });
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    Stretch stretch;
    auto most = static_cast<std::size_t>(range.limit);
    if (ids.size() >= most) {
        ids.resize(most);
        stretch.last = ids.back();
    }
    stretch.entries = facts_from(db, tagged_among, ids);
    return stretch;
}

Stretch tagged(db::Read& db, const TagIds& tags, const base::Range& range) {
    auto few = std::int64_t{range.limit} * 3;
    Stretch stretch{facts_from(db, tagged_between, tags, range.above, range.below, few), {}};
    if (std::ssize(stretch.entries) >= few) stretch = much_tagged(db, tags, range);
    return stretch;
}

}  // namespace

std::vector<StatusId> add_tagged(
    db::Read& db, const TagIds& tags, const base::Range& range, Stretch& stretch
) {
    auto part = range;
    if (stretch.last && range.ascending) part.below = stretch.last->value + 1;
    if (stretch.last && !range.ascending) part.above = stretch.last->value - 1;
    auto [found, last] = tagged(db, tags, part);
    std::vector<StatusId> ids;
    for (const auto& f : found) ids.push_back(f.id);
    auto& entries = stretch.entries;
    entries.insert(entries.end(), found.begin(), found.end());
    sort(entries, range);
    auto same = std::ranges::unique(entries, {}, &Facts::id);
    entries.erase(same.begin(), same.end());
    if (last) {
        std::erase_if(entries, [&](const Facts& f) { return range.ascending ? f.id > *last : f.id < *last; });
        stretch.last = last;
    }
    if (entries.size() > static_cast<std::size_t>(range.limit)) {
        entries.resize(static_cast<std::size_t>(range.limit));
        stretch.last = entries.back().id;
    }
    return ids;
}

const db::Query<bool> any_under_tags{
    "any_under_tags",
    R"(SELECT EXISTS (SELECT 1 FROM json_each($2) o CROSS JOIN status_tags x
                      WHERE x.status_id = o.value AND +x.tag_id IN (SELECT value FROM json_each($1))))",
    R"(SELECT EXISTS (SELECT 1 FROM status_tags WHERE status_id = ANY($2::bigint[]) AND tag_id = ANY($1::bigint[])))"
};

bool any_tagged(db::Read& db, const TagIds& tags, const std::vector<StatusId>& ids) {
    return db.one(any_under_tags, tags, ids);
}

}  // namespace timelines

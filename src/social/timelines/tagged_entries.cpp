// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/timelines/tagged_entries.hpp"

#include "base/cache.hpp"

namespace timelines {

// The tables status_tags and statuses belong to statuses. As in the timeline of a tag, limited authors are
// left out.
#define USABLE "s.deleted_at IS NULL AND s.visibility = 'public' AND a.silenced_at IS NULL "

// A stretch of home is short and usually contains few statuses with the tags.
const db::Query<StatusId> tagged_between{
    "tagged_between",
    R"(SELECT x.status_id FROM json_each($1) t CROSS JOIN status_tags x ON x.tag_id = t.value
           AND x.status_id > $2 AND x.status_id < $3 LIMIT $4)",
    R"(SELECT status_id FROM status_tags WHERE tag_id = ANY($1::bigint[]) AND status_id > $2 AND status_id < $3
       LIMIT $4)"
};

// If there are many: the id of the $4th status of each tag, counted from 0; none for tags with fewer.
const db::Query<StatusId> tags_come_down_to{
    "tags_come_down_to",
    R"(SELECT (SELECT y.status_id FROM status_tags y WHERE y.tag_id = t.value AND y.status_id > $2 AND y.status_id < $3
               ORDER BY y.status_id DESC LIMIT 1 OFFSET $4) AS id FROM json_each($1) t)",
    R"(SELECT (SELECT y.status_id FROM status_tags y WHERE y.tag_id = t.id AND y.status_id > $2 AND y.status_id < $3
               ORDER BY y.status_id DESC LIMIT 1 OFFSET $4) AS id FROM unnest($1::bigint[]) t(id))"
};
const db::Query<StatusId> tags_come_up_to{
    "tags_come_up_to",
    R"(SELECT (SELECT y.status_id FROM status_tags y WHERE y.tag_id = t.value AND y.status_id > $2 AND y.status_id < $3
               ORDER BY y.status_id LIMIT 1 OFFSET $4) AS id FROM json_each($1) t)",
    R"(SELECT (SELECT y.status_id FROM status_tags y WHERE y.tag_id = t.id AND y.status_id > $2 AND y.status_id < $3
               ORDER BY y.status_id LIMIT 1 OFFSET $4) AS id FROM unnest($1::bigint[]) t(id))"
};

// If few of many tags are busy, at most as many of each are read as the page needs: $4 is the limit minus
// one.
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

namespace {

using Ids = std::vector<StatusId>;

void order(Ids& ids, const base::Range& direction) {
    std::ranges::sort(ids, {}, [&](StatusId id) { return direction.ascending ? id.value : -id.value; });
}

// The part of the range that has enough statuses with the tags together, if they are about equally busy.
std::optional<base::Range> near_part(db::Read& db, const TagIds& tags, const base::Range& range) {
    auto all = static_cast<int>(tags.size());
    auto of_each = range.limit * 2 / all + 1;
    auto wanted = static_cast<std::size_t>((range.limit + of_each - 1) / of_each);
    const auto& sql = range.ascending ? tags_come_up_to : tags_come_down_to;
    auto ends = db.all(sql, tags, range.above, range.below, std::int64_t{of_each} - 1);
    std::erase(ends, StatusId{});
    if (ends.size() < wanted) return std::nullopt;
    order(ends, range);
    auto part = range;
    if (range.ascending) part.below = ends[wanted - 1].value + 1;
    else part.above = ends[wanted - 1].value - 1;
    return part;
}

// The statuses in the range, unless there are more than a few times as many as needed.
std::optional<Ids> few_between(db::Read& db, const TagIds& tags, const base::Range& range) {
    auto most = std::int64_t{range.limit} * 4;
    auto ids = db.all(tagged_between, tags, range.above, range.below, most);
    if (std::ssize(ids) >= most) return std::nullopt;
    return ids;
}

// Where the last page of a busy set of tags ended and how far it reached: the first place to look for the
// next one. Only a guess, so it may be outdated or of another node.
struct Reach {
    StatusId end;
    std::int64_t width = 0;
};

base::Cache<Reach>& reaches() {
    static base::Cache<Reach> cache(1 << 20);
    return cache;
}

std::optional<IdStretch> as_before(
    db::Read& db, const relationships::Relationships& relations, const TagIds& tags, const base::Range& range
) {
    if (range.ascending) return std::nullopt;
    auto reach = reaches().find({relations.self.value, relations.version});
    if (!reach) return std::nullopt;
    bool newest = range.below == base::Range().below;
    auto part = range;
    part.above = newest ? reach->end.value - 1 : range.below - 1 - reach->width;
    if (part.above <= range.above) return std::nullopt;
    auto ids = few_between(db, tags, part);
    if (!ids || std::ssize(*ids) < range.limit) return std::nullopt;
    return IdStretch{*std::move(ids), StatusId{part.above + 1}};
}

void note_reach(
    const relationships::Relationships& relations, const base::Range& range, const std::vector<StatusId>& ids
) {
    if (range.ascending || ids.empty()) return;
    Reach reach{ids.back(), (ids.front().value - ids.back().value) / 4 * 5};
    reaches().put(
        {relations.self.value, relations.version}, std::make_shared<const Reach>(reach), sizeof reach
    );
}

IdStretch much_tagged(db::Read& db, const TagIds& tags, const base::Range& range) {
    if (auto part = near_part(db, tags, range))
        if (auto ids = few_between(db, tags, *part))
            return {*std::move(ids), StatusId{range.ascending ? part->below - 1 : part->above + 1}};
    const auto& sql = range.ascending ? tagged_oldest : tagged_newest;
    return {db.all(sql, tags, range.above, range.below, std::int64_t{range.limit} - 1), {}};
}

}  // namespace

IdStretch tagged_ids(
    db::Read& db, const relationships::Relationships& relations, const TagIds& tags, const base::Range& range
) {
    IdStretch found;
    bool much = false;
    if (auto known = as_before(db, relations, tags, range)) found = *std::move(known);
    else if (auto ids = few_between(db, tags, range)) found.ids = *std::move(ids);
    else {
        found = much_tagged(db, tags, range);
        much = true;
    }
    auto& ids = found.ids;
    order(ids, range);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    if (auto most = static_cast<std::size_t>(range.limit); ids.size() >= most) {
        ids.resize(most);
        found.last = ids.back();
    }
    if (much) note_reach(relations, range, ids);
    return found;
}

const db::Query<StatusId> tagged_among{
    "tagged_among",
    "SELECT s.id FROM list($1) j CROSS JOIN statuses s ON s.id = j.value JOIN accounts a ON a.id = "
    "s.account_id "
    "WHERE " USABLE,
    "SELECT s.id FROM statuses s JOIN accounts a ON a.id = s.account_id WHERE s.id = ANY($1::bigint[]) "
    "AND " USABLE
};

std::vector<StatusId> usable_tagged(db::Read& db, const std::vector<StatusId>& ids) {
    if (ids.empty()) return {};
    return db.all(tagged_among, ids);
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

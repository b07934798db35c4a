// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/timelines/public.hpp"

#include "social/statuses/core/kinds.hpp"
#include "social/statuses/core/listed.hpp"
#include "social/tags/tag.hpp"

#include <algorithm>
#include <utility>

namespace timelines {

// The WHERE of the index statuses_public and similar ones, word for word. $3: limit; $4: languages, empty for
// all.
#define PUBLIC_STATUSES(S)                                                                      \
    S "deleted_at IS NULL AND " S "visibility = 'public' AND " S "reblog_of_id IS NULL AND (" S \
      "in_reply_to_account_id IS NULL OR " S "in_reply_to_account_id = " S "account_id) "
#define PUBLIC_IN_RANGE "SELECT s.id FROM statuses s WHERE s.id > $1 AND s.id < $2 AND " PUBLIC_STATUSES("s.")
#define IN_LANGUAGES_SQLITE "AND ($4 = '[]' OR s.language IN (SELECT value FROM json_each($4))) "
#define IN_LANGUAGES_POSTGRES "AND (cardinality($4::text[]) = 0 OR s.language = ANY($4::text[])) "
#define OF_ORIGIN "AND s.local = $5 "
#define WITH_MEDIA "AND " STATUS_HAS_MEDIA("s.")
#define DOWN "ORDER BY s.id DESC LIMIT $3"
#define UP "ORDER BY s.id LIMIT $3"
#define LISTED(WHICH, ORDER) \
    PUBLIC_IN_RANGE IN_LANGUAGES_SQLITE WHICH ORDER, PUBLIC_IN_RANGE IN_LANGUAGES_POSTGRES WHICH ORDER

const db::Query<StatusId> public_down{"public_down", LISTED("", DOWN)};
const db::Query<StatusId> public_up{"public_up", LISTED("", UP)};
const db::Query<StatusId> public_media_down{"public_media_down", LISTED(WITH_MEDIA, DOWN)};
const db::Query<StatusId> public_media_up{"public_media_up", LISTED(WITH_MEDIA, UP)};
const db::Query<StatusId> public_of_origin_down{"public_of_origin_down", LISTED(OF_ORIGIN, DOWN)};
const db::Query<StatusId> public_of_origin_up{"public_of_origin_up", LISTED(OF_ORIGIN, UP)};
const db::Query<StatusId> public_media_of_origin_down{
    "public_media_of_origin_down", LISTED(WITH_MEDIA OF_ORIGIN, DOWN)
};
const db::Query<StatusId> public_media_of_origin_up{
    "public_media_of_origin_up", LISTED(WITH_MEDIA OF_ORIGIN, UP)
};

Batch candidates(
    db::Read& db, const base::Range& r, const PublicFilter& filter, const std::vector<std::string>& languages
) {
    auto query = [&](const auto& down, const auto& up, const auto&... more) {
        auto batch =
            batch_of(db.all(r.ascending ? up : down, r.above, r.below, r.limit, languages, more...), r);
        for (const auto& f : statuses::listed_facts(db, std::exchange(batch.ids, {})))
            if (!f.gone && !f.silenced) batch.facts.push_back(f);
        return batch;
    };
    if (!filter.local && !filter.remote)
        return filter.only_media ? query(public_media_down, public_media_up) : query(public_down, public_up);
    if (filter.only_media) return query(public_media_of_origin_down, public_media_of_origin_up, filter.local);
    return query(public_of_origin_down, public_of_origin_up, filter.local);
}

std::vector<VisibilityFacts> everything(
    db::Read& db, const Audience& audience, const base::Range& range, const PublicFilter& filter,
    const std::vector<std::string>& languages
) {
    if (filter.local && filter.remote) return {};
    return fill(db, audience, range, [&](const base::Range& r) {
        return candidates(db, r, filter, languages);
    });
}

// Statuses with some tags ($4), the first ones of each in the range's direction; $3 is the limit for each
// minus one. Rows of one origin ($5) are adjacent in an index of their own.
#define OF_TAG(X, T) X "tag_id = " T " "
#define OF_TAG_AND_ORIGIN(X, T) OF_TAG(X, T) "AND " X "local = $5 "
#define TAGGED_DOWN(WHICH) \
    "SELECT DISTINCT x.status_id FROM json_each($4) t CROSS JOIN status_tags x ON " WHICH("x.", "t.value")         \
    "AND x.status_id < $2 AND x.status_id >= COALESCE((SELECT y.status_id FROM status_tags y WHERE " WHICH(        \
        "y.", "t.value"                                                                                            \
    ) "AND y.status_id > $1 AND y.status_id < $2 ORDER BY y.status_id DESC LIMIT 1 OFFSET $3), $1 + 1) "           \
    "ORDER BY x.status_id DESC LIMIT $3 + 1",                                                                      \
    "SELECT DISTINCT x.status_id FROM unnest($4::bigint[]) t(id) CROSS JOIN LATERAL ("                             \
    "SELECT y.status_id FROM status_tags y WHERE " WHICH("y.", "t.id")                                             \
    "AND y.status_id > $1 AND y.status_id < $2 ORDER BY y.status_id DESC LIMIT $3 + 1) x "                         \
    "ORDER BY x.status_id DESC LIMIT $3 + 1"
#define TAGGED_UP(WHICH) \
    "SELECT DISTINCT x.status_id FROM json_each($4) t CROSS JOIN status_tags x ON " WHICH("x.", "t.value")         \
    "AND x.status_id > $1 AND x.status_id <= COALESCE((SELECT y.status_id FROM status_tags y WHERE " WHICH(        \
        "y.", "t.value"                                                                                            \
    ) "AND y.status_id > $1 AND y.status_id < $2 ORDER BY y.status_id LIMIT 1 OFFSET $3), $2 - 1) "                \
    "ORDER BY x.status_id LIMIT $3 + 1",                                                                           \
    "SELECT DISTINCT x.status_id FROM unnest($4::bigint[]) t(id) CROSS JOIN LATERAL ("                             \
    "SELECT y.status_id FROM status_tags y WHERE " WHICH("y.", "t.id")                                             \
    "AND y.status_id > $1 AND y.status_id < $2 ORDER BY y.status_id LIMIT $3 + 1) x "                              \
    "ORDER BY x.status_id LIMIT $3 + 1"

const db::Query<StatusId> tagged_down{"tagged_down", TAGGED_DOWN(OF_TAG)};
const db::Query<StatusId> tagged_up{"tagged_up", TAGGED_UP(OF_TAG)};
const db::Query<StatusId> tagged_of_origin_down{"tagged_of_origin_down", TAGGED_DOWN(OF_TAG_AND_ORIGIN)};
const db::Query<StatusId> tagged_of_origin_up{"tagged_of_origin_up", TAGGED_UP(OF_TAG_AND_ORIGIN)};

// The statuses that the timeline shows: $2 only media, with none of $3 and all $5 of $4.
#define SHOWN_UNDER_TAG                                                                   \
    "AND s.deleted_at IS NULL AND s.visibility = 'public' AND a.silenced_at IS NULL AND " \
    "a.suspended_at IS NULL AND ($2 = FALSE OR " STATUS_HAS_MEDIA("s."                    \
    ) ") "                                                                                \
      "AND NOT EXISTS (SELECT 1 FROM status_tags n WHERE n.status_id = s.id AND n.tag_id "
#define AND_UNDER_ALL "AND (SELECT count(*) FROM status_tags y WHERE y.status_id = s.id AND y.tag_id "

const db::Query<StatusId> shown_under_tag{
    "shown_under_tag",
    "SELECT s.id FROM json_each($1) j CROSS JOIN statuses s ON s.id = j.value "
    "JOIN accounts a ON a.id = s.account_id WHERE TRUE " SHOWN_UNDER_TAG
    "IN (SELECT value FROM json_each($3))) " AND_UNDER_ALL "IN (SELECT value FROM json_each($4))) = $5",
    "SELECT s.id FROM statuses s JOIN accounts a ON a.id = s.account_id "
    "WHERE s.id = ANY($1::bigint[]) " SHOWN_UNDER_TAG "= ANY($3::bigint[])) " AND_UNDER_ALL
    "= ANY($4::bigint[])) = $5"
};

namespace {

// Only the first four names of each mode count (limits.tsv, tag.timeline_max_per_mode).
std::vector<base::TagId> ids_of(db::Read& db, const std::vector<std::string>& names, bool& unknown) {
    std::vector<base::TagId> ids;
    for (std::size_t i = 0; i < names.size() && i < 4; ++i) {
        auto tag = tags::find_tag(db, names[i]);
        if (!tag) unknown = true;
        else if (std::ranges::find(ids, tag->id) == ids.end()) ids.push_back(tag->id);
    }
    return ids;
}

}  // namespace

bool stands_under_its_tags(db::Read& db, StatusId id) {
    const std::vector<base::TagId> none;
    return db.maybe(shown_under_tag, std::vector{id}, false, none, none, 0).has_value();
}

std::vector<VisibilityFacts> tagged(
    db::Read& db, const Audience& audience, const base::Range& range, const TagFilter& tags
) {
    bool ignored = false, impossible = false;
    auto any = ids_of(db, tags.any, ignored);
    auto all = ids_of(db, tags.all, impossible);
    auto none = ids_of(db, tags.none, ignored);
    const auto& filter = tags.filter;
    if (any.empty() || impossible || (filter.local && filter.remote)) return {};
    auto wanted = static_cast<std::int64_t>(all.size());
    auto candidates = [&](const base::Range& r) {
        auto query = [&](const auto& down, const auto& up, const auto&... more) {
            return db.all(r.ascending ? up : down, r.above, r.below, r.limit - 1, any, more...);
        };
        auto batch = batch_of(
            filter.local || filter.remote ? query(tagged_of_origin_down, tagged_of_origin_up, filter.local)
                                          : query(tagged_down, tagged_up),
            r
        );
        if (batch.ids.empty()) return batch;
        auto shown = db.all(shown_under_tag, batch.ids, filter.only_media, none, all, wanted);
        std::erase_if(batch.ids, [&](StatusId id) { return std::ranges::find(shown, id) == shown.end(); });
        return batch;
    };
    return fill(db, audience, range, candidates);
}

}  // namespace timelines

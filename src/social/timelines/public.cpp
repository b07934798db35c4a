// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/timelines/public.hpp"

#include "social/tags/tag.hpp"

#include <algorithm>

namespace timelines {

// The WHERE of the index statuses_public, and what the filter adds: $3 local, $4 remote, $5 only media.
#define PUBLIC_STATUSES                                                                   \
    "SELECT s.id FROM statuses s JOIN accounts a ON a.id = s.account_id "                 \
    "WHERE s.id > $1 AND s.id < $2 AND s.deleted_at IS NULL AND s.visibility = 'public' " \
    "AND s.reblog_of_id IS NULL "                                                         \
    "AND (s.in_reply_to_account_id IS NULL OR s.in_reply_to_account_id = s.account_id) "  \
    "AND a.silenced_at IS NULL AND a.suspended_at IS NULL "                               \
    "AND ($3 = FALSE OR s.local = TRUE) AND ($4 = FALSE OR s.local = FALSE) "             \
    "AND ($5 = FALSE OR (s.relations & 4) <> 0) "

const db::Query<StatusId> public_down{"public_down", PUBLIC_STATUSES "ORDER BY s.id DESC LIMIT $6"};
const db::Query<StatusId> public_up{"public_up", PUBLIC_STATUSES "ORDER BY s.id LIMIT $6"};

#define IN_LANGUAGES_SQLITE "AND s.language IN (SELECT value FROM json_each($7)) "
#define IN_LANGUAGES_POSTGRES "AND s.language = ANY($7::text[]) "

const db::Query<StatusId> public_in_languages_down{
    "public_in_languages_down",
    PUBLIC_STATUSES IN_LANGUAGES_SQLITE "ORDER BY s.id DESC LIMIT $6",
    PUBLIC_STATUSES IN_LANGUAGES_POSTGRES "ORDER BY s.id DESC LIMIT $6"
};
const db::Query<StatusId> public_in_languages_up{
    "public_in_languages_up",
    PUBLIC_STATUSES IN_LANGUAGES_SQLITE "ORDER BY s.id LIMIT $6",
    PUBLIC_STATUSES IN_LANGUAGES_POSTGRES "ORDER BY s.id LIMIT $6"
};

std::vector<Facts> everything(
    db::Read& db, const Audience& audience, const base::Range& range, const PublicFilter& filter,
    const std::vector<std::string>& languages
) {
    auto candidates = [&](const base::Range& r) {
        auto query = [&](const auto& sql, const auto&... more) {
            const auto& f = filter;
            return batch_of(
                db.all(sql, r.above, r.below, f.local, f.remote, f.only_media, r.limit, more...), r
            );
        };
        if (languages.empty()) return query(r.ascending ? public_up : public_down);
        return query(r.ascending ? public_in_languages_up : public_in_languages_down, languages);
    };
    return fill(db, audience, range, candidates);
}

#define TAGGED_STATUSES                                                                                 \
    "FROM status_tags x JOIN statuses s ON s.id = x.status_id JOIN accounts a ON a.id = s.account_id "  \
    "WHERE x.status_id > $1 AND x.status_id < $2 AND s.deleted_at IS NULL AND s.visibility = 'public' " \
    "AND a.silenced_at IS NULL AND a.suspended_at IS NULL "                                             \
    "AND ($3 = FALSE OR s.local = TRUE) AND ($4 = FALSE OR s.local = FALSE) "                           \
    "AND ($5 = FALSE OR (s.relations & 4) <> 0) "
#define ALL_AND_NONE_SQLITE                                                 \
    "AND NOT EXISTS (SELECT 1 FROM status_tags n WHERE n.status_id = s.id " \
    "AND n.tag_id IN (SELECT value FROM json_each($7))) "                   \
    "AND (SELECT count(*) FROM status_tags y WHERE y.status_id = s.id "     \
    "AND y.tag_id IN (SELECT value FROM json_each($8))) = $9 "
#define ALL_AND_NONE_POSTGRES                                                                               \
    "AND NOT EXISTS (SELECT 1 FROM status_tags n WHERE n.status_id = s.id AND n.tag_id = "                  \
    "ANY($7::bigint[])) "                                                                                   \
    "AND (SELECT count(*) FROM status_tags y WHERE y.status_id = s.id AND y.tag_id = ANY($8::bigint[])) = " \
    "$9 "

const db::Query<StatusId> tagged_down{
    "tagged_down",
    "SELECT x.status_id " TAGGED_STATUSES "AND x.tag_id = $6 " ALL_AND_NONE_SQLITE
    "ORDER BY x.status_id DESC LIMIT $10",
    "SELECT x.status_id " TAGGED_STATUSES "AND x.tag_id = $6 " ALL_AND_NONE_POSTGRES
    "ORDER BY x.status_id DESC LIMIT $10"
};
const db::Query<StatusId> tagged_up{
    "tagged_up",
    "SELECT x.status_id " TAGGED_STATUSES "AND x.tag_id = $6 " ALL_AND_NONE_SQLITE
    "ORDER BY x.status_id LIMIT $10",
    "SELECT x.status_id " TAGGED_STATUSES "AND x.tag_id = $6 " ALL_AND_NONE_POSTGRES
    "ORDER BY x.status_id LIMIT $10"
};
const db::Query<StatusId> any_tagged_down{
    "any_tagged_down",
    "SELECT DISTINCT x.status_id " TAGGED_STATUSES
    "AND x.tag_id IN (SELECT value FROM json_each($6)) " ALL_AND_NONE_SQLITE
    "ORDER BY x.status_id DESC LIMIT $10",
    "SELECT DISTINCT x.status_id " TAGGED_STATUSES "AND x.tag_id = ANY($6::bigint[]) " ALL_AND_NONE_POSTGRES
    "ORDER BY x.status_id DESC LIMIT $10"
};
const db::Query<StatusId> any_tagged_up{
    "any_tagged_up",
    "SELECT DISTINCT x.status_id " TAGGED_STATUSES
    "AND x.tag_id IN (SELECT value FROM json_each($6)) " ALL_AND_NONE_SQLITE "ORDER BY x.status_id LIMIT $10",
    "SELECT DISTINCT x.status_id " TAGGED_STATUSES "AND x.tag_id = ANY($6::bigint[]) " ALL_AND_NONE_POSTGRES
    "ORDER BY x.status_id LIMIT $10"
};

namespace {

// Of each mode the first four names count (limits.tsv, tag.timeline_max_per_mode).
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

std::vector<Facts> tagged(
    db::Read& db, const Audience& audience, const base::Range& range, const TagFilter& tags
) {
    bool ignored = false, impossible = false;
    auto any = ids_of(db, tags.any, ignored);
    auto all = ids_of(db, tags.all, impossible);
    auto none = ids_of(db, tags.none, ignored);
    if (any.empty() || impossible) return {};
    const auto& filter = tags.filter;
    auto wanted = static_cast<std::int64_t>(all.size());
    auto candidates = [&](const base::Range& r) {
        auto query = [&](const auto& sql, const auto& main) {
            return batch_of(
                db.all(
                    sql,
                    r.above,
                    r.below,
                    filter.local,
                    filter.remote,
                    filter.only_media,
                    main,
                    none,
                    all,
                    wanted,
                    r.limit
                ),
                r
            );
        };
        if (any.size() == 1) return query(r.ascending ? tagged_up : tagged_down, any[0]);
        return query(r.ascending ? any_tagged_up : any_tagged_down, any);
    };
    return fill(db, audience, range, candidates);
}

}  // namespace timelines

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/tags/featured_tag.hpp"
#include "social/tags/tag_entity.hpp"
#include "social/tags/tag_follow.hpp"

namespace tags {
namespace {

using http::Viewer;

struct ByName {
    std::string id;
};
DESCRIBE(ByName, id)

base::AccountId account_of(const std::optional<Viewer>& me) { return me ? me->account : base::AccountId{}; }

// A tag that was never used is shown too, without an id.
TagEntity show(db::Read& db, const std::optional<Viewer>& me, const ByName& path) {
    auto name = checked_name(path.id);
    auto tag = find_tag(db, name).value_or(Tag{{}, name, name});
    return entities(db, std::vector<Tag>{tag}, account_of(me))[0];
}

struct ById {
    base::TagId id;
};
DESCRIBE(ById, id)

TagEntity show_made(db::Read& db, const Viewer& me, const ById& made) {
    return entities(db, std::vector<Tag>{tag(db, made.id)}, me.account)[0];
}

http::Made<base::TagId> begin(db::Write& db, const Viewer& me, const ByName& path) {
    auto followed = follow(db, me.account, path.id);
    return {followed.tag, followed.began};
}

void end(db::Write& db, const Viewer& me, const ByName& path) { unfollow(db, me.account, path.id); }

Usage count(db::Read& db, const Viewer& me, const ByName& path) {
    return usage(db, me.account, checked_name(path.id));
}

base::TagId begin_feature(db::Write& db, const Viewer& me, const ByName& path, const Usage& so_far) {
    return feature(db, me.account, path.id, so_far).tag;
}

void end_feature(db::Write& db, const Viewer& me, const ByName& path) {
    unfeature(db, me.account, checked_name(path.id));
}

struct FollowedForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<100, 200> limit;
};
DESCRIBE(FollowedForm, max_id, since_id, min_id, limit)

http::Page<TagEntity> followed(db::Read& db, const Viewer& me, const FollowedForm& form) {
    auto rows = followed_tags(db, me.account, http::range_of(form));
    std::vector<Tag> tags;
    for (const auto& row : rows) tags.push_back({row.id, row.name, row.display_name});
    http::Page<TagEntity> page{entities(db, tags, me.account), {}};
    bool full = rows.size() == static_cast<std::size_t>(form.limit.value);
    if (!rows.empty()) page.cursors = base::cursors_of(rows.front().cursor, rows.back().cursor, full, true);
    return page;
}

using http::Caching, http::Throttle;

// clang-format off
constexpr http::Route table[] = {
    http::get<show>                             ("/api/v1/tags/:id").cached(Caching::if_anonymous),
    http::post<begin, show_made>                ("/api/v1/tags/:id/follow",    "follow|write:follows").throttled(Throttle::follows_family),
    http::post<end, show>                       ("/api/v1/tags/:id/unfollow",  "follow|write:follows"),
    http::post<count, begin_feature, show_made> ("/api/v1/tags/:id/feature",   "write:accounts"),
    http::post<end_feature, show>               ("/api/v1/tags/:id/unfeature", "write:accounts"),
    http::get<followed>                         ("/api/v1/followed_tags",      "follow|read:follows"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace tags

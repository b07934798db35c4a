// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/statuses/core/viewer_api.hpp"
#include "social/statuses/render/status_entity.hpp"
#include "social/timelines/feed.hpp"

namespace timelines {
namespace {

struct LinkForm {
    http::Param<std::string> url;
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<20, 40> limit;
};
DESCRIBE(LinkForm, url, max_id, since_id, min_id, limit)

http::RawPage link_page(db::Read& db, const std::optional<http::Viewer>& me, const LinkForm& form) {
    auto viewer = statuses::audience(db, me);
    auto found = linking(db, viewer, http::range_of(form), *form.url);
    return {statuses::json_list(db, viewer, found), feed_cursors(found)};
}

// clang-format off
constexpr http::Route table[] = {
    http::get<link_page>("/api/v1/timelines/link", "read:statuses").answering("Status[]").cached(http::Caching::if_anonymous),
};
// clang-format on

}  // namespace

std::span<const http::Route> link_routes() { return table; }

}  // namespace timelines

// SPDX-License-Identifier: AGPL-3.0-or-later
// Handling of replies by the author of a status. Mastodon has no such API; these paths are our own.
#include "http/route.hpp"
#include "social/statuses/core/viewer_api.hpp"
#include "social/statuses/interactions/reply_approval.hpp"

namespace statuses {
namespace {

using http::Viewer;

struct PageOf {
    std::optional<std::int64_t> max_id, since_id;
    http::Limit<20, 40> limit;
};
DESCRIBE(PageOf, max_id, since_id, limit)

http::RawPage index(db::Read& db, const Viewer& me, const PageOf& form) {
    auto viewer = audience(db, me);
    auto ids = pending_replies(db, me.account, http::range_of(form));
    auto found = visibility_facts(db, viewer, ids);
    std::erase_if(found, [&](const VisibilityFacts& f) { return !shown(f, viewer); });
    http::RawPage page{statuses::json_list(db, viewer, found), {}};
    bool full = ids.size() == static_cast<std::size_t>(form.limit.value);
    if (!ids.empty()) page.cursors = base::cursors_of(ids.front().value, ids.back().value, full, true);
    return page;
}

struct Named {
    StatusId status_id, id;
};
DESCRIBE(Named, status_id, id)

template <void (*change)(db::Write&, AccountId, const AnswerTo&)>
StatusId act(db::Write& db, const Viewer& me, const Named& path) {
    change(db, me.account, {path.status_id, path.id});
    return path.id;
}

base::json::Raw show(db::Read& db, const Viewer& me, const ById& path) { return show_changed(db, me, path); }

// clang-format off
constexpr http::Route table[] = {
    http::get<index>                   ("/api/dunlin/v1/pending_replies",                           "read:statuses").answering("Status[]"),
    http::post<act<approve_reply>, show>("/api/dunlin/v1/statuses/:status_id/replies/:id/approve", "write:statuses").answering("Status"),
    http::post<act<refuse_reply>, show>("/api/dunlin/v1/statuses/:status_id/replies/:id/refuse",   "write:statuses").answering("Status"),
    http::post<act<hide_reply>, show>  ("/api/dunlin/v1/statuses/:status_id/replies/:id/hide",     "write:statuses").answering("Status"),
    http::post<act<unhide_reply>, show>("/api/dunlin/v1/statuses/:status_id/replies/:id/unhide",   "write:statuses").answering("Status"),
};
// clang-format on

}  // namespace

std::span<const http::Route> reply_routes() { return table; }

}  // namespace statuses

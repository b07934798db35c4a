// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/statuses/scheduled/scheduled.hpp"

namespace statuses {
namespace {

using http::Viewer;

struct PageForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<20, 40> limit;
};
DESCRIBE(PageForm, max_id, since_id, min_id, limit)

http::RawPage index(db::Read& db, const Viewer& me, const PageForm& form) {
    auto found = scheduled(db, me.account, http::range_of(form));
    http::RawPage page{scheduled_json(db, found), {}};
    bool full = found.size() == static_cast<std::size_t>(form.limit.value);
    if (!found.empty())
        page.cursors = base::cursors_of(found.front().id.value, found.back().id.value, full, false);
    return page;
}

struct ById {
    ScheduledId id;
};
DESCRIBE(ById, id)

base::json::Raw show(db::Read& db, const Viewer& me, const ById& path) {
    auto found = find_scheduled(db, me.account, path.id);
    if (!found) throw base::NotFound();
    return {scheduled_json(db, *found)};
}

struct Form {
    ScheduledId id;
    std::optional<http::ValidTime> scheduled_at;
};
DESCRIBE(Form, id, scheduled_at)

void move(db::Write& db, const Viewer& me, const Form& form) {
    if (form.scheduled_at) move_scheduled(db, me.account, form.id, form.scheduled_at->value);
}

void destroy(db::Write& db, const Viewer& me, const ById& path) { cancel_scheduled(db, me.account, path.id); }

// clang-format off
constexpr http::Route table[] = {
    http::get<index>        ("/api/v1/scheduled_statuses",     "read:statuses").answering("ScheduledStatus[]"),
    http::get<show>         ("/api/v1/scheduled_statuses/:id", "read:statuses").answering("ScheduledStatus"),
    http::put<move, show>   ("/api/v1/scheduled_statuses/:id", "write:statuses").answering("ScheduledStatus"),
    http::patch<move, show> ("/api/v1/scheduled_statuses/:id", "write:statuses").answering("ScheduledStatus"),
    http::del<destroy>      ("/api/v1/scheduled_statuses/:id", "write:statuses"),
};
// clang-format on

}  // namespace

std::span<const http::Route> scheduled_routes() { return table; }

}  // namespace statuses

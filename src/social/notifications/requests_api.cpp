// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/notifications/attachment.hpp"
#include "social/notifications/request.hpp"
#include "social/statuses/core/viewer_api.hpp"

namespace notifications {
namespace {

using http::Viewer;

struct Entity {
    static constexpr std::string_view entity = "NotificationRequest";

    RequestId id;
    base::Time created_at, updated_at;
    std::string notifications_count;
    base::json::Raw account;
    std::optional<base::json::Raw> last_status;
};
DESCRIBE(Entity, id, created_at, updated_at, notifications_count, account, last_status)

std::vector<Entity> entities(db::Read& db, const Viewer& me, const std::vector<Request>& found) {
    std::vector<accounts::Version> senders;
    std::vector<StatusId> ids;
    for (const auto& r : found) {
        senders.push_back({r.from_account_id, r.from_version});
        ids.push_back(r.last_status_id);
    }
    auto people = accounts::render(db, senders);
    auto texts = visible_statuses(db, statuses::audience(db, me), ids);
    std::vector<Entity> out;
    for (const auto& r : found) {
        auto sender = people.find(r.from_account_id);
        if (sender == people.end()) continue;
        Entity e{
            r.id,
            r.created_at,
            r.updated_at,
            std::to_string(r.notifications_count),
            {sender->second->for_viewer(true)},
            {}
        };
        if (auto text = texts.find(r.last_status_id); text != texts.end())
            e.last_status = base::json::Raw{text->second};
        out.push_back(std::move(e));
    }
    return out;
}

struct PageForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<40, 80> limit;
};
DESCRIBE(PageForm, max_id, since_id, min_id, limit)

http::Page<Entity> index(db::Read& db, const Viewer& me, const PageForm& form) {
    auto range = http::range_of(form);
    auto found = requests(db, me.account, range);
    http::Page<Entity> page{entities(db, me, found), {}};
    if (found.empty()) return page;
    bool full = found.size() == static_cast<std::size_t>(range.limit);
    page.cursors = base::cursors_of(found.front().id.value, found.back().id.value, full, false);
    return page;
}

struct ById {
    RequestId id;
};
DESCRIBE(ById, id)

Entity show(db::Read& db, const Viewer& me, const ById& path) {
    auto found = entities(db, me, {request(db, me.account, path.id)});
    if (found.empty()) throw base::NotFound();
    return found[0];
}

struct Merged {
    bool merged = true;
};
DESCRIBE(Merged, merged)

Merged show_merged(db::Read& db, const Viewer& me) { return {merged(db, me.account)}; }

void accept_one(db::Write& db, const Viewer& me, const ById& path) {
    accept(db, me.account, request(db, me.account, path.id));
}

void dismiss_one(db::Write& db, const Viewer& me, const ById& path) {
    dismiss(db, me.account, request(db, me.account, path.id));
}

struct ByIds {
    std::vector<RequestId> id;
};
DESCRIBE(ByIds, id)

void accept_many(db::Write& db, const Viewer& me, const ByIds& form) { accept_all(db, me.account, form.id); }

void dismiss_many(db::Write& db, const Viewer& me, const ByIds& form) {
    dismiss_all(db, me.account, form.id);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>         ("/api/v1/notifications/requests",             "read:notifications"),
    http::get<show_merged>   ("/api/v1/notifications/requests/merged",      "read:notifications"),
    http::get<show>          ("/api/v1/notifications/requests/:id",         "read:notifications"),
    http::post<accept_many>  ("/api/v1/notifications/requests/accept",      "write:notifications"),
    http::post<dismiss_many> ("/api/v1/notifications/requests/dismiss",     "write:notifications"),
    http::post<accept_one>   ("/api/v1/notifications/requests/:id/accept",  "write:notifications"),
    http::post<dismiss_one>  ("/api/v1/notifications/requests/:id/dismiss", "write:notifications"),
};
// clang-format on

}  // namespace

std::span<const http::Route> request_routes() { return table; }

}  // namespace notifications

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/notifications/notification.hpp"
#include "social/notifications/routes.hpp"
#include "social/statuses/status_entity.hpp"
#include "social/statuses/viewer_api.hpp"

#include <unordered_map>

namespace notifications {
namespace {

using http::Viewer;

struct Entity {
    NotificationId id;
    std::string type;
    base::Time created_at;
    std::string group_key;
    base::json::Raw account;
    base::json::Omit<base::json::Raw> status;
};
DESCRIBE(Entity, id, type, created_at, group_key, account, status)

std::vector<Entity> entities(
    db::Read& db, const statuses::Audience& looker, const std::vector<Notification>& found
) {
    std::vector<accounts::Version> senders;
    std::vector<StatusId> ids;
    for (const auto& n : found) {
        senders.push_back({n.from_account_id, n.from_version});
        if (n.status_id) ids.push_back(n.status_id);
    }
    auto people = accounts::render(db, senders);
    auto facts = statuses::facts(db, looker, ids);
    auto texts = statuses::json_each(db, looker, facts);
    std::unordered_map<StatusId, const std::string*> about;
    for (std::size_t i = 0; i < facts.size(); ++i) about.emplace(facts[i].id, &texts[i]);
    std::vector<Entity> out;
    for (const auto& n : found) {
        auto sender = people.find(n.from_account_id);
        if (sender == people.end()) continue;
        Entity e{n.id, word_of(n.type), n.created_at, n.group_key, {sender->second->for_viewer(true)}, {}};
        if (auto status = about.find(n.status_id); status != about.end())
            e.status = base::json::Raw{*status->second};
        out.push_back(std::move(e));
    }
    return out;
}

struct PageForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<40, 80> limit;
    std::vector<std::string> types, exclude_types;
    std::optional<AccountId> account_id;
};
DESCRIBE(PageForm, max_id, since_id, min_id, limit, types, exclude_types, account_id)

http::Page<Entity> index(db::Read& db, const Viewer& me, const PageForm& form) {
    auto looker = statuses::audience(db, me);
    Filter filter{form.types, form.exclude_types, form.account_id.value_or(AccountId{})};
    auto found = notifications(db, looker, http::range_of(form), filter);
    http::Page<Entity> page{entities(db, looker, found), {}};
    if (!found.empty())
        page.cursors = base::cursors_of(found.front().id.value, found.back().id.value, true, false);
    return page;
}

struct ById {
    NotificationId id;
};
DESCRIBE(ById, id)

Entity show(db::Read& db, const Viewer& me, const ById& path) {
    auto looker = statuses::audience(db, me);
    auto found = entities(db, looker, {notification(db, looker, path.id)});
    if (found.empty()) throw base::NotFound();
    return found[0];
}

struct CountForm {
    http::Limit<100, 1000> limit;
    std::vector<std::string> types, exclude_types;
    std::optional<AccountId> account_id;
};
DESCRIBE(CountForm, limit, types, exclude_types, account_id)

struct Count {
    std::int64_t count = 0;
};
DESCRIBE(Count, count)

Count unread(db::Read& db, const Viewer& me, const CountForm& form) {
    Filter filter{form.types, form.exclude_types, form.account_id.value_or(AccountId{})};
    return {unread_count(db, me.account, form.limit.value, filter)};
}

void clear_all(db::Write& db, const Viewer& me) { clear(db, me.account); }

void dismiss_one(db::Write& db, const Viewer& me, const ById& path) { dismiss(db, me.account, path.id); }

// clang-format off
constexpr http::Route table[] = {
    http::get<index>        ("/api/v1/notifications",              "read:notifications"),
    http::get<unread>       ("/api/v1/notifications/unread_count", "read:notifications"),
    http::get<show>         ("/api/v1/notifications/:id",          "read:notifications"),
    http::post<clear_all>   ("/api/v1/notifications/clear",        "write:notifications"),
    http::post<dismiss_one> ("/api/v1/notifications/:id/dismiss",  "write:notifications"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace notifications

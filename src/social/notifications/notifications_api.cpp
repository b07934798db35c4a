// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/notifications/notification_entity.hpp"
#include "social/statuses/core/viewer_api.hpp"

namespace notifications {
namespace {

using http::Viewer;

struct PageForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<40, 80> limit;
    std::vector<std::string> types, exclude_types;
    std::optional<AccountId> account_id;
    bool include_filtered = false;
    SupportedTypes supported_types;
};
DESCRIBE(
    PageForm, max_id, since_id, min_id, limit, types, exclude_types, account_id, include_filtered,
    supported_types
)

// A malformed id matches no account, so the list is empty.
void from_only(Filter& filter, std::optional<AccountId> account) {
    filter.from = account.value_or(AccountId{});
    filter.nothing = filter.nothing || (account && !*account);
}

http::RawPage index(db::Read& db, const Viewer& me, const PageForm& form) {
    auto viewer = statuses::audience(db, me);
    auto filter = filter_of(form.types, form.exclude_types, me.permissions);
    from_only(filter, form.account_id);
    filter.include_filtered = form.include_filtered || form.account_id;
    StatusFacts facts;
    auto found = notifications(db, viewer, http::range_of(form), filter, facts);
    http::RawPage page{json_list(db, viewer, found, facts, form.supported_types), {}};
    if (!found.empty())
        page.cursors = base::cursors_of(found.front().id.value, found.back().id.value, true, false);
    return page;
}

struct ById {
    NotificationId id;
    SupportedTypes supported_types;
};
DESCRIBE(ById, id, supported_types)

base::json::Raw show(db::Read& db, const Viewer& me, const ById& path) {
    auto viewer = statuses::audience(db, me);
    StatusFacts facts;
    auto one = notification(db, viewer, path.id, facts);
    if (!goes_with(one.type, me.permissions)) throw base::NotFound();
    return {json(db, viewer, one, facts, path.supported_types)};
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
    auto filter = filter_of(form.types, form.exclude_types, me.permissions);
    from_only(filter, form.account_id);
    return {unread_count(db, me.account, form.limit.value, filter)};
}

void clear_all(db::Write& db, const Viewer& me) { clear(db, me.account); }

void dismiss_one(db::Write& db, const Viewer& me, const ById& path) { dismiss(db, me.account, path.id); }

// clang-format off
constexpr http::Route table[] = {
    http::get<index>        ("/api/v1/notifications",              "read:notifications").answering("Notification[]"),
    http::get<unread>       ("/api/v1/notifications/unread_count", "read:notifications"),
    http::get<show>         ("/api/v1/notifications/:id",          "read:notifications").answering("Notification"),
    http::post<clear_all>   ("/api/v1/notifications/clear",        "write:notifications"),
    http::post<dismiss_one> ("/api/v1/notifications/:id/dismiss",  "write:notifications"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace notifications

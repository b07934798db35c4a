// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json.hpp"
#include "http/route.hpp"
#include "social/notifications/policy.hpp"

namespace notifications {
namespace {

using http::Viewer;

struct Summary {
    std::int64_t pending_requests_count = 0, pending_notifications_count = 0;
};
DESCRIBE(Summary, pending_requests_count, pending_notifications_count)

struct Entity {
    static constexpr std::string_view entity = "NotificationPolicy";

    base::json::Spread<Policy> policy;
    Summary summary;
};
DESCRIBE(Entity, policy, summary)

Entity show(db::Read& db, const Viewer& me) {
    auto [requests, count] = filtered_summary(db, me.account);
    return {{policy(db, me.account)}, {requests, count}};
}

struct Changes {
    std::optional<Answer> for_not_following, for_not_followers, for_new_accounts, for_private_mentions,
        for_limited_accounts, for_bots;
};
DESCRIBE(
    Changes, for_not_following, for_not_followers, for_new_accounts, for_private_mentions,
    for_limited_accounts, for_bots
)

void apply(db::Write& db, AccountId account, const Changes& changes) {
    auto now = policy(db, account);
    auto set = [](Answer& answer, const std::optional<Answer>& given) { answer = given.value_or(answer); };
    set(now.for_not_following, changes.for_not_following);
    set(now.for_not_followers, changes.for_not_followers);
    set(now.for_new_accounts, changes.for_new_accounts);
    set(now.for_private_mentions, changes.for_private_mentions);
    set(now.for_limited_accounts, changes.for_limited_accounts);
    set(now.for_bots, changes.for_bots);
    set_policy(db, account, now);
}

void change(db::Write& db, const Viewer& me, const Changes& form) { apply(db, me.account, form); }

// The first version: booleans, and nothing about limited accounts.
struct OldEntity {
    bool filter_not_following = false, filter_not_followers = false, filter_new_accounts = false,
         filter_private_mentions = false, filter_bots = false;
    Summary summary;
};
DESCRIBE(
    OldEntity, filter_not_following, filter_not_followers, filter_new_accounts, filter_private_mentions,
    filter_bots, summary
)

OldEntity show_old(db::Read& db, const Viewer& me) {
    auto now = policy(db, me.account);
    auto [requests, count] = filtered_summary(db, me.account);
    return {
        now.for_not_following != Answer::accept,
        now.for_not_followers != Answer::accept,
        now.for_new_accounts != Answer::accept,
        now.for_private_mentions != Answer::accept,
        now.for_bots != Answer::accept,
        {requests, count}
    };
}

struct OldChanges {
    std::optional<bool> filter_not_following, filter_not_followers, filter_new_accounts,
        filter_private_mentions, filter_bots;
};
DESCRIBE(
    OldChanges, filter_not_following, filter_not_followers, filter_new_accounts, filter_private_mentions,
    filter_bots
)

void change_old(db::Write& db, const Viewer& me, const OldChanges& form) {
    auto answer = [](const std::optional<bool>& filter) -> std::optional<Answer> {
        if (!filter) return std::nullopt;
        return *filter ? Answer::filter : Answer::accept;
    };
    apply(
        db,
        me.account,
        {answer(form.filter_not_following),
         answer(form.filter_not_followers),
         answer(form.filter_new_accounts),
         answer(form.filter_private_mentions),
         {},
         answer(form.filter_bots)}
    );
}

// clang-format off
constexpr http::Route table[] = {
    http::get<show>                   ("/api/v2/notifications/policy", "read:notifications"),
    http::patch<change, show>         ("/api/v2/notifications/policy", "write:notifications"),
    http::put<change, show>           ("/api/v2/notifications/policy", "write:notifications"),
    http::get<show_old>               ("/api/v1/notifications/policy", "read:notifications"),
    http::patch<change_old, show_old> ("/api/v1/notifications/policy", "write:notifications"),
    http::put<change_old, show_old>   ("/api/v1/notifications/policy", "write:notifications"),
};
// clang-format on

}  // namespace

std::span<const http::Route> policy_routes() { return table; }

}  // namespace notifications

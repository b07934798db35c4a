// SPDX-License-Identifier: AGPL-3.0-or-later
// The GroupedNotificationsResults entity: groups, and each account and status that they reference once.
#pragma once
#include "social/notifications/group.hpp"
#include "social/notifications/notification_entity.hpp"

namespace notifications {

struct GroupEntity {
    std::string group_key;
    std::int64_t notifications_count = 1;
    std::string type;
    std::int64_t most_recent_notification_id = 0;
    base::json::Omit<NotificationId> page_min_id, page_max_id;
    base::json::Omit<base::Time> latest_page_notification_at;
    base::json::Omit<Fallback> fallback;
    std::vector<AccountId> sample_account_ids;
    base::json::Omit<StatusId> status_id;
    base::json::Spread<Attached> attached;
};
DESCRIBE(
    GroupEntity, group_key, notifications_count, type, most_recent_notification_id, page_min_id, page_max_id,
    latest_page_notification_at, fallback, sample_account_ids, status_id, attached
)

// The format of the text of `results`, which is written without copying its long parts.
struct GroupedResults {
    static constexpr std::string_view entity = "GroupedNotificationsResults";

    base::json::Raw accounts;
    base::json::Omit<base::json::Raw> partial_accounts;
    base::json::Raw statuses;
    std::vector<GroupEntity> notification_groups;
};
DESCRIBE(GroupedResults, accounts, partial_accounts, statuses, notification_groups)

struct Wanted {
    bool page = true;              // of a list; false: of one group
    bool partial_avatars = false;  // complete accounts only for the first of each group
    SupportedTypes supported;
};

base::json::Raw
results(db::Read&, const statuses::Audience&, const std::vector<Group>&, const StatusFacts&, const Wanted&);

}  // namespace notifications

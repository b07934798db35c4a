// SPDX-License-Identifier: AGPL-3.0-or-later
// The Notification entity.
#pragma once
#include "social/notifications/attachment.hpp"
#include "social/notifications/fallback.hpp"

namespace notifications {

using SupportedTypes = std::optional<std::vector<std::string>>;

struct NotificationEntity {
    NotificationId id;
    std::string type;
    base::Time created_at;
    std::string group_key;
    base::json::Omit<bool> filtered;
    base::json::Omit<Fallback> fallback;
    base::json::Raw account;
    base::json::Omit<base::json::Raw> status;
    base::json::Spread<Attached> attached;
};
DESCRIBE(NotificationEntity, id, type, created_at, group_key, filtered, fallback, account, status, attached)

std::vector<NotificationEntity>
entities(db::Read&, const statuses::Audience&, const std::vector<Notification>&, const SupportedTypes&);

}  // namespace notifications

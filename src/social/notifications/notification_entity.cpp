// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/notification_entity.hpp"

#include "social/accounts/account_entity.hpp"
#include "social/notifications/visible_statuses.hpp"

namespace notifications {

std::vector<NotificationEntity> entities(
    db::Read& db, const statuses::Audience& looker, const std::vector<Notification>& found,
    const SupportedTypes& supported
) {
    std::vector<accounts::Version> senders;
    std::vector<StatusId> ids;
    for (const auto& n : found) {
        senders.push_back({n.from_account_id, n.from_version});
        if (n.status_id) ids.push_back(n.status_id);
    }
    auto people = accounts::render(db, senders);
    auto texts = visible_statuses(db, looker, ids);
    auto things = attached(db, looker, found);
    std::vector<NotificationEntity> out;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto& n = found[i];
        auto sender = people.find(n.from_account_id);
        if (sender == people.end()) continue;
        NotificationEntity e{n.id, word_of(n.type), n.created_at, n.group_key, {}, {}, {}, {}, {}};
        if (n.filtered) e.filtered = true;
        e.fallback = fallback(db.site(), n.type, supported);
        e.account = {sender->second->for_viewer(true)};
        if (auto text = texts.find(n.status_id); text != texts.end())
            e.status = base::json::Raw{text->second};
        e.attached.value = std::move(things[i]);
        e.attached.value.annual_report = {};  // told of groups only
        out.push_back(std::move(e));
    }
    return out;
}

}  // namespace notifications

// SPDX-License-Identifier: AGPL-3.0-or-later
// What notifications of some types are about besides a status. The subject that owns the thing enrols how it is
// rendered, by a constant beside its entity:
//
//     const notifications::Attachment reports{notifications::Type::admin_report, render_reports};
//
// The list only grows before main; nothing is enrolled later.
#pragma once
#include "base/json.hpp"
#include "social/notifications/notification.hpp"

#include <unordered_map>

namespace notifications {

struct Attachment {
    // JSON by id, of those that exist and this recipient may see; one call for a whole page.
    using Render = std::unordered_map<std::int64_t, std::string> (*)(
        db::Read&, const statuses::Audience&, const std::vector<std::int64_t>& ids
    );

    Attachment(Type, Render);
    Attachment(const Attachment&) = delete;

    Type type;
    Render render;
    const Attachment* next;

    static const Attachment* all();
};

// The members of an entity that hold attachments; those of other types stay away.
struct Attached {
    base::json::Omit<base::json::Raw> report, event, moderation_warning, annual_report;
    base::json::Omit<std::optional<base::json::Raw>> collection;  // null when it is gone
};
DESCRIBE(Attached, report, event, moderation_warning, annual_report, collection)

// Of each notification, in their order.
std::vector<Attached> attached(db::Read&, const statuses::Audience&, const std::vector<Notification>& found);

}  // namespace notifications

// SPDX-License-Identifier: AGPL-3.0-or-later
// What notifications of some types are about besides a status. The subject that owns the thing renders it; some stand
// above this one, so the table is in server/attachments.cpp.
#pragma once
#include "base/json.hpp"
#include "social/notifications/notification.hpp"
#include "social/statuses/core/visibility.hpp"

#include <span>
#include <string>
#include <unordered_map>

namespace notifications {

using JsonById = std::unordered_map<std::int64_t, std::string>;

struct Attachment {
    Type type;
    // Of those that exist and this recipient may see; one call for a whole page.
    JsonById (*render)(db::Read&, const statuses::Audience&, const std::vector<std::int64_t>& ids);
};

// Given once at start, before anything is rendered; must live on.
void use_attachments(std::span<const Attachment>);

// The members of an entity that hold attachments; those of other types stay away.
struct Attached {
    base::json::Omit<base::json::Raw> report, event, moderation_warning, annual_report;
    base::json::Omit<std::optional<base::json::Raw>> collection;  // null when it is gone
};
DESCRIBE(Attached, report, event, moderation_warning, annual_report, collection)

// Of each notification, in their order; none at all when nothing is attached to any.
std::vector<Attached> attached(db::Read&, const statuses::Audience&, const std::vector<Notification>& found);

// A year is its own id.
JsonById render_years(db::Read&, const statuses::Audience&, const std::vector<std::int64_t>& ids);

// The JSON of statuses that entities mention, by id; those that are gone or hidden are left out.

using StatusTexts = std::unordered_map<base::StatusId, std::string>;

StatusTexts visible_statuses(db::Read&, const statuses::Audience&, const std::vector<base::StatusId>& ids);

}  // namespace notifications

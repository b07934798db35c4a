// SPDX-License-Identifier: AGPL-3.0-or-later
// Objects other than statuses that some types of notifications refer to. Their subjects render them; some are
// layers above this one, so the table is in server/attachments.cpp.
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
    // JSON of those that exist and this recipient may see; one call per page.
    JsonById (*render)(db::Read&, const statuses::Audience&, const std::vector<std::int64_t>& ids);
};

// Set once at start, before anything is rendered. The table must stay alive.
void use_attachments(std::span<const Attachment>);

// The members of an entity for attachments; those of other types are omitted.
struct Attached {
    base::json::Omit<base::json::Raw> report, event, moderation_warning, annual_report;
    base::json::Omit<std::optional<base::json::Raw>> collection;  // null if it was deleted
};
DESCRIBE(Attached, report, event, moderation_warning, annual_report, collection)

// For each notification, in order; empty if none has an attachment.
std::vector<Attached> attached(db::Read&, const statuses::Audience&, const std::vector<Notification>& found);

// A year is its own id.
JsonById render_years(db::Read&, const statuses::Audience&, const std::vector<std::int64_t>& ids);

// The JSON of statuses that entities reference, by id, without those that are deleted or hidden.

using StatusTexts = std::unordered_map<base::StatusId, std::string>;

StatusTexts visible_statuses(db::Read&, const statuses::Audience&, const std::vector<base::StatusId>& ids);

}  // namespace notifications

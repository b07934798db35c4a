// SPDX-License-Identifier: AGPL-3.0-or-later
// The Notification entity.
#pragma once
#include "base/json.hpp"
#include "base/schema.hpp"
#include "social/notifications/attachment.hpp"
#include "social/notifications/notification.hpp"

namespace notifications {

// What a client shows for a notification type that it does not know.
struct Fallback {
    std::string title, summary;
    std::optional<std::string> description;  // always null
};
DESCRIBE(Fallback, title, summary, description)

// Omitted if the client sent no types, knows this one, or must know it anyway (behaviours 11.14).
base::json::Omit<Fallback> fallback(
    const base::Site&, Type, const std::optional<std::vector<std::string>>& supported
);

using SupportedTypes = std::optional<std::vector<std::string>>;

// The facts are those of all visible statuses of the notifications.
std::string
json_list(db::Read&, const statuses::Audience&, const std::vector<Notification>&, const StatusFacts&, const SupportedTypes&);
// Throws NotFound if its sender no longer exists.
std::string
json(db::Read&, const statuses::Audience&, const Notification&, const StatusFacts&, const SupportedTypes&);

// Without duplicates.
std::vector<statuses::VisibilityFacts> shown_in(const std::vector<Notification>&, const StatusFacts&);

void describe_notification(base::json::Components&);  // for OpenAPI

}  // namespace notifications

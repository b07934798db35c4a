// SPDX-License-Identifier: AGPL-3.0-or-later
// The Notification entity.
#pragma once
#include "base/json.hpp"
#include "base/schema.hpp"
#include "social/notifications/attachment.hpp"
#include "social/notifications/notification.hpp"

namespace notifications {

// What a client shows of a notification whose type it does not know.
struct Fallback {
    std::string title, summary;
    std::optional<std::string> description;  // always null
};
DESCRIBE(Fallback, title, summary, description)

// None when the client told no types, knows this one, or must know it anyway (behaviours 11.14).
base::json::Omit<Fallback> fallback(
    const base::Site&, Type, const std::optional<std::vector<std::string>>& supported
);

using SupportedTypes = std::optional<std::vector<std::string>>;

// The facts are those of all their statuses that may be shown.
std::string
json_list(db::Read&, const statuses::Audience&, const std::vector<Notification>&, const StatusFacts&, const SupportedTypes&);
// Throws NotFound when its sender is no more.
std::string
json(db::Read&, const statuses::Audience&, const Notification&, const StatusFacts&, const SupportedTypes&);

// Each once.
std::vector<statuses::VisibilityFacts> shown_in(const std::vector<Notification>&, const StatusFacts&);

void describe_notification(base::json::Components&);  // for OpenAPI

}  // namespace notifications

// SPDX-License-Identifier: AGPL-3.0-or-later
// What a client shows of a notification whose type it does not know.
#pragma once
#include "base/json.hpp"
#include "social/notifications/notification.hpp"

namespace notifications {

struct Fallback {
    std::string title, summary;
    std::optional<std::string> description;  // always null
};
DESCRIBE(Fallback, title, summary, description)

// None when the client told no types, knows this one, or must know it anyway (behaviours 11.14).
base::json::Omit<Fallback> fallback(
    const base::Site&, Type, const std::optional<std::vector<std::string>>& supported
);

}  // namespace notifications

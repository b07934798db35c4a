// SPDX-License-Identifier: AGPL-3.0-or-later
// If no moderator has been active for eight days, sign-ups need approval until staff changes that.
#pragma once
#include "base/ask.hpp"
#include "jobs/reactions.hpp"
#include "social/accounts/users/role.hpp"

namespace moderation {

constexpr std::int64_t unattended_after_seconds = 8 * 86'400;

std::string registrations(db::Read&);  // "open", "approval" or "closed"
// In addition to the configuration. Throws Forbidden without manage_settings, Invalid when the setting itself
// requires approval.
void set_approval(db::Write&, const accounts::Actor&, bool required);

// Event: tells a user who may change it that sign-ups need approval from now on.
struct LeftAlone {
    base::UserId user;
};
DESCRIBE(LeftAlone, user)
void mail_left_alone(const base::Ask&, db::Read&, const LeftAlone&);

jobs::Change look_for_moderators(db::Read&);  // periodic

}  // namespace moderation

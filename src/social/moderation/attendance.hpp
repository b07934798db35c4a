// SPDX-License-Identifier: AGPL-3.0-or-later
// Whether anybody looks after the site: where no moderator came for eight days, sign-ups wait for approval until staff says
// otherwise.
#pragma once
#include "base/ask.hpp"
#include "jobs/reactions.hpp"
#include "social/accounts/users/role.hpp"

namespace moderation {

constexpr std::int64_t unattended_after_seconds = 8 * 86'400;

std::string registrations(db::Read&);  // "open", "approval" or "closed"
// Beyond what is configured. Throws Forbidden without manage_settings, Invalid where the setting itself says that they wait.
void set_approval(db::Write&, const accounts::Actor&, bool required);

// Event: who may change it is told that sign-ups wait from now on.
struct LeftAlone {
    base::UserId user;
};
DESCRIBE(LeftAlone, user)
void mail_left_alone(const base::Ask&, db::Read&, const LeftAlone&);

jobs::Change look_for_moderators(db::Read&);  // periodic

}  // namespace moderation

// SPDX-License-Identifier: AGPL-3.0-or-later
// What staff does about the site as a whole: each act has its permission and is written down.
#pragma once
#include "social/accounts/users/invite.hpp"
#include "social/announcements/announcement.hpp"
#include "social/moderation/audit.hpp"

namespace moderation {

// Throw Forbidden without manage_announcements, and what the announcements throw. In the log: create and destroy of the
// announcement.
announcements::AnnouncementId announce(db::Write&, const accounts::Actor&, const announcements::Draft&);
void withdraw_announcement(db::Write&, const accounts::Actor&, announcements::AnnouncementId);

// In the log an invite is told by the first letters of its code, which let nobody in.
// Throw Forbidden without manage_invites; of a code that there is not, NotFound.
// The code, by which people may sign up.
std::string invite(db::Write&, const accounts::Actor&, const accounts::NewInvite&);
void revoke_invite(db::Write&, const accounts::Actor&, const std::string& code);

}  // namespace moderation

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/site_acts.hpp"

namespace moderation {

namespace permission = accounts::permission;

announcements::AnnouncementId announce(
    db::Write& db, const accounts::Actor& by, const announcements::Draft& draft
) {
    accounts::require(by, permission::manage_announcements);
    auto id = announcements::create(db, draft);
    log(db, by, "create", {"Announcement", id.value, std::to_string(id.value)});
    return id;
}

void withdraw_announcement(db::Write& db, const accounts::Actor& by, announcements::AnnouncementId id) {
    accounts::require(by, permission::manage_announcements);
    announcements::remove(db, id);
    log(db, by, "destroy", {"Announcement", id.value, std::to_string(id.value)});
}

// The log is kept for ever, and whoever reads it need not be able to sign up: it names the code by its beginning.
namespace {
std::string shortened(const std::string& code) { return code.substr(0, 3) + "…"; }
}  // namespace

std::string invite(db::Write& db, const accounts::Actor& by, const accounts::NewInvite& wanted) {
    accounts::require(by, permission::manage_invites);
    auto code = accounts::create_invite(db, wanted);
    log(db, by, "create", {"Invite", 0, shortened(code)});
    return code;
}

void revoke_invite(db::Write& db, const accounts::Actor& by, const std::string& code) {
    accounts::require(by, permission::manage_invites);
    accounts::revoke_invite(db, code);
    log(db, by, "destroy", {"Invite", 0, shortened(code)});
}

}  // namespace moderation

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/attendance.hpp"

#include "social/accounts/users/mail.hpp"
#include "social/accounts/users/user.hpp"
#include "social/instance/registrations.hpp"
#include "social/moderation/audit.hpp"

namespace moderation {

// users and roles belong to accounts; 17: administrator, or manage_reports.
const db::Query<bool> some_moderator_since{
    "some_moderator_since",
    R"(SELECT EXISTS (SELECT 1 FROM users u JOIN roles r ON r.id = u.role_id
           WHERE (r.permissions & 17) <> 0 AND u.role_id <> -99 AND u.confirmed_at IS NOT NULL
             AND u.approved = TRUE AND u.disabled = FALSE AND COALESCE(u.last_active_at, u.created_at) > $1))"
};

std::string registrations(db::Read& db) {
    if (!db.site().registrations_open) return "closed";
    return instance::approval_required(db) ? "approval" : "open";
}

void set_approval(db::Write& db, const accounts::Actor& who, bool required) {
    accounts::require(who, accounts::permission::manage_settings);
    if (!required && db.site().approval_required)
        throw base::Invalid("Sign-ups wait for approval by the setting \"registrations\": change that one");
    instance::require_approval(db, required);
    log(db, who, "update", {"Setting", 0, "registrations"}, base::json::to_string(registrations(db)));
}

jobs::Change look_for_moderators(db::Read& db) {
    if (registrations(db) != "open") return {};
    if (db.one(some_moderator_since, db.now().plus_seconds(-unattended_after_seconds))) return {};
    // Before there is an owner nobody is missing, and nobody can sign up.
    constexpr auto may_change_it = accounts::permission::manage_settings;
    if (accounts::staff_who_may(db, may_change_it).empty()) return {};
    return [](db::Write& write) {
        set_approval(write, accounts::the_operator(), true);
        for (const auto& one : accounts::staff_who_may(write, may_change_it)) write.emit(LeftAlone{one.user});
    };
}

void mail_left_alone(const base::Ask& ask, db::Read& db, const LeftAlone& e) {
    auto user = accounts::find_user(db, e.user);
    if (!user || registrations(db) == "open") return;
    accounts::send_mail(ask, db.site(), accounts::recipient(*user), "left_alone", {});
}

}  // namespace moderation

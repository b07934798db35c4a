// SPDX-License-Identifier: AGPL-3.0-or-later
// Changes that come in bursts (votes, edits of a profile) are sent as one Update, some time after the first.
#pragma once
#include "social/accounts/profile/profile.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/federation/delivery/delivery_scope.hpp"

namespace federation {

BOOST_DEFINE_ENUM_CLASS(Update, poll, actor)

void plan_update(db::Write&, Update, std::int64_t id, std::int64_t in_seconds);
jobs::Change send_planned_updates(db::Read&);  // periodic

void plan_profile(db::Write&, const accounts::ProfileChanged&);  // reaction

// Reaction: the deletion of a local account is delivered to every server that may know it.
jobs::Change deliver_gone(db::Read&, const accounts::AccountGone&);

// The profile of a local account is to be delivered.
struct ProfileActivityWanted {
    AccountId account;
    ActivityId activity;
};
DESCRIBE(ProfileActivityWanted, account, activity)
jobs::Change write_profile(db::Read&, const ProfileActivityWanted&);
std::string profile_activity(db::Read&, const accounts::Account&);  // its document

}  // namespace federation

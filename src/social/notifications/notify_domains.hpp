// SPDX-License-Identifier: AGPL-3.0-or-later
// Effects of domain blocks on notifications: those from there are removed, and accounts that lost follows are
// notified.
#pragma once
#include "social/notifications/attachment.hpp"
#include "social/relationships/domain_block.hpp"
#include "social/relationships/list_severing.hpp"

namespace notifications {

// Notifications from a blocked domain that are still to be removed.
struct ForgetDomainContinued {
    base::AccountId account;
    std::string domain;
};
DESCRIBE(ForgetDomainContinued, account, domain)

// Reactions
void notify_severed(db::Write&, const relationships::Severed&);
void withdraw_severed(db::Write&, const relationships::FollowersSevered&);
void forget_domain(db::Write&, const relationships::DomainBlocked&);
void continue_forgetting_domain(db::Write&, const ForgetDomainContinued&);

JsonById render_severances(db::Read&, const statuses::Audience&, const std::vector<std::int64_t>& ids);

}  // namespace notifications

// SPDX-License-Identifier: AGPL-3.0-or-later
// What blocks of domains do to notifications: those from there go, and who lost follows is told.
#pragma once
#include "social/notifications/attachment.hpp"
#include "social/relationships/domain_block.hpp"

namespace notifications {

// Notifications from a blocked domain that are left.
struct FromDomainLeft {
    base::AccountId account;
    std::string domain;
};
DESCRIBE(FromDomainLeft, account, domain)

// Reactions
void tell_severed(db::Write&, const relationships::Severed&);
void forget_domain(db::Write&, const relationships::DomainBlocked&);
void forget_domain_left(db::Write&, const FromDomainLeft&);

JsonById render_severances(db::Read&, const statuses::Audience&, const std::vector<std::int64_t>& ids);

}  // namespace notifications

// SPDX-License-Identifier: AGPL-3.0-or-later
// Flag: what another server tells the moderators of here.
#pragma once
#include "ap/incoming.hpp"
#include "social/accounts/account.hpp"
#include "social/moderation/report.hpp"

namespace moderation {

struct Flagged {
    AccountId reporter;
    Complaint complaint;
};
// Of a local account or its statuses; from servers whose reports are not refused.
std::optional<Flagged> flagged(db::Read&, const ap::Incoming&);
// What other servers are told of one of their accounts. Of who reported it nothing is said.
std::string
flag_activity(db::Read&, const accounts::Account& target, const std::string& comment, const std::vector<StatusId>&, const std::vector<CollectionId>&);

bool take_flag(db::Write&, const Flagged&);

}  // namespace moderation

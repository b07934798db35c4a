// SPDX-License-Identifier: AGPL-3.0-or-later
// Flag: reports from and to other servers.
#pragma once
#include "ap/incoming.hpp"
#include "social/accounts/account.hpp"
#include "social/moderation/report.hpp"

namespace moderation {

struct Flagged {
    AccountId reporter;
    Complaint complaint;
};
// About a local account or its statuses, from servers whose reports are not rejected.
std::optional<Flagged> flagged(db::Read&, const ap::Incoming&);
// The Flag sent to other servers, which does not reveal the reporter.
std::string
flag_activity(db::Read&, const accounts::Account& target, const std::string& comment, const std::vector<StatusId>&, const std::vector<CollectionId>&);

bool take_flag(db::Write&, const Flagged&);

}  // namespace moderation

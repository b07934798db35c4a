// SPDX-License-Identifier: AGPL-3.0-or-later
// Leave to quote on its way to other servers (FEP-044f): reactions to what quote_leave.hpp decides.
#pragma once
#include "jobs/reactions.hpp"
#include "social/statuses/quote_requests/quote_leave.hpp"

namespace federation {

jobs::Change ask_leave(db::Read&, const statuses::QuoteLeaveWanted&);
void tell_quote_answered(db::Write&, const statuses::QuoteAnswered&);
void tell_leave_given(db::Write&, const statuses::QuoteLeaveGiven&);
jobs::Change tell_quote_revoked(db::Read&, const statuses::QuoteRevoked&);
void tell_policy_changed(db::Write&, const statuses::QuotePolicyChanged&);

}  // namespace federation

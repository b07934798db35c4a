// SPDX-License-Identifier: AGPL-3.0-or-later
// Servers that moderators suspend: nobody here follows anybody there any more, nor they anybody here.
#pragma once
#include "social/instance/domain_block.hpp"
#include "social/relationships/severance.hpp"

namespace relationships {

// Follows with accounts of `server`, from the account `from` on, are still to be ended. Events of `first` and later
// tell who lost some.
struct ServerSeveringContinued {
    SeveranceId first;
    std::string domain, server;
    AccountId from;
};
DESCRIBE(ServerSeveringContinued, first, domain, server, from)

// All follows are ended; from the event `next` on people are to be told.
struct SeverancesUnnotified {
    std::string domain;
    SeveranceId next;
};
DESCRIBE(SeverancesUnnotified, domain, next)

// Reactions, some hundred at a time
void begin_server_severing(db::Write&, const instance::ServerLimited&);
void continue_server_severing(db::Write&, const ServerSeveringContinued&);
void notify_severances(db::Write&, const SeverancesUnnotified&);

}  // namespace relationships

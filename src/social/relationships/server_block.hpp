// SPDX-License-Identifier: AGPL-3.0-or-later
// Servers that moderators suspend: nobody here follows anybody there any more, nor they anybody here.
#pragma once
#include "social/instance/domain_block.hpp"
#include "social/relationships/severance.hpp"

namespace relationships {

// Follows with accounts of `server`, from the account `from` on, are still to be ended. Events of `first` and later
// tell who lost some.
struct ServerSeveringLeft {
    SeveranceId first;
    std::string domain, server;
    AccountId from;
};
DESCRIBE(ServerSeveringLeft, first, domain, server, from)

// All follows are ended; from the event `next` on people are to be told.
struct SeverancesUntold {
    std::string domain;
    SeveranceId next;
};
DESCRIBE(SeverancesUntold, domain, next)

// Reactions, some hundred at a time
void begin_server_severing(db::Write&, const instance::ServerLimited&);
void continue_server_severing(db::Write&, const ServerSeveringLeft&);
void tell_severances(db::Write&, const SeverancesUntold&);

}  // namespace relationships

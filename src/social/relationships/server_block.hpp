// SPDX-License-Identifier: AGPL-3.0-or-later
// When moderators suspend a server, all follows between local accounts and accounts there end.
#pragma once
#include "social/instance/domain_block.hpp"
#include "social/relationships/severance.hpp"

namespace relationships {

// Follows with accounts of `server`, from the account `from` on, are still to be removed. Events from `first`
// on record who lost follows.
struct ServerSeveringContinued {
    SeveranceId first;
    std::string domain, server;
    AccountId from;
};
DESCRIBE(ServerSeveringContinued, first, domain, server, from)

// All follows are removed; the people concerned are to be notified, from the event `next` on.
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

// SPDX-License-Identifier: AGPL-3.0-or-later
// Data of a server that stays suspended is deleted after a month: posts, profiles, pictures. The names are
// kept, so that nobody can come back as somebody else.
#pragma once
#include "social/accounts/account.hpp"

namespace accounts {

// Event: accounts of `server`, one of the domains within `domain`; those with greater ids than `after` are
// left.
struct ServerPurging {
    std::string domain, server;
    AccountId after;
};
DESCRIBE(ServerPurging, domain, server, after)
// Event: the purge is complete.
struct ServerPurged {
    std::string domain;
};
DESCRIBE(ServerPurged, domain)

void purge_suspended_servers(db::Write&);                 // periodic
void continue_purging(db::Write&, const ServerPurging&);  // reaction, some at a time

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
// What is stored of a server that stays suspended goes after a month: posts, profiles, pictures. Names stay, so that nobody
// comes back as somebody else.
#pragma once
#include "social/accounts/account.hpp"

namespace accounts {

// Event: accounts of `server`, one of those within `domain`, with greater ids than `after` are left.
struct ServerPurging {
    std::string domain, server;
    AccountId after;
};
DESCRIBE(ServerPurging, domain, server, after)
// Event: nothing is left.
struct ServerPurged {
    std::string domain;
};
DESCRIBE(ServerPurged, domain)

void purge_suspended_servers(db::Write&);                 // periodic
void continue_purging(db::Write&, const ServerPurging&);  // reaction, some at a time

}  // namespace accounts

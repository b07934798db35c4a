// SPDX-License-Identifier: AGPL-3.0-or-later
// Domains that a user blocks: accounts there do not appear in their timelines, threads and searches, cause no
// notifications, and neither follow them nor are followed by them. Subdomains are not included. Names are
// accepted in any spelling.
#pragma once
#include "base/page.hpp"
#include "social/relationships/severance.hpp"

namespace relationships {

struct DomainBlocked {
    SeveranceId severance;
    AccountId account;
    std::string domain;
};
DESCRIBE(DomainBlocked, severance, account, domain)

// Follows with a greater id than `after` are still to be removed.
struct SeveringContinued {
    SeveranceId severance;
    AccountId account;
    std::string domain;
    std::int64_t after = 0;
};
DESCRIBE(SeveringContinued, severance, account, domain, after)

void block_domain(db::Write&, AccountId me, std::string_view domain);  // throws Invalid
void unblock_domain(db::Write&, AccountId me, std::string_view domain);

struct BlockedDomain {
    std::int64_t cursor = 0;
    std::string domain;
};
DESCRIBE(BlockedDomain, cursor, domain)
std::vector<BlockedDomain> domain_blocks(db::Read&, AccountId, const base::Range&);

// The follows that a block would end.
struct Losses {
    std::int64_t following_count = 0, followers_count = 0;
};
DESCRIBE(Losses, following_count, followers_count)
Losses losses_by_blocking(db::Read&, AccountId me, std::string_view domain);

// Reactions: remove follows and requests in both directions, some hundred at a time.
void begin_severing(db::Write&, const DomainBlocked&);
void continue_severing(db::Write&, const SeveringContinued&);

}  // namespace relationships

// SPDX-License-Identifier: AGPL-3.0-or-later
// Servers that moderators limited, as far as the public may know.
#pragma once
#include "base/json.hpp"
#include "db/session.hpp"

#include <set>

namespace instance {

using DomainBlockId = base::Id<struct DomainBlockTag>;

BOOST_DEFINE_ENUM_CLASS(Severity, silence, suspend, noop)

// What the API tells.
struct DomainBlock {
    std::string domain, digest;
    Severity severity = Severity::silence;
    std::optional<std::string> comment;
};
DESCRIBE(DomainBlock, domain, digest, severity, comment)

// Who may see the list, and the reasons in it: setting show_domain_blocks and show_domain_blocks_rationale.
bool shows_domain_blocks(db::Read&, bool to_user);
bool shown_to_users_only(db::Read&);
// Silenced first, then suspended, each by domain; without those that only note something.
std::vector<DomainBlock> domain_blocks(db::Read&, bool to_user);

std::set<std::string> blocked_domains(db::Read&);

// For moderation. An existing one of that domain is replaced.
void put_domain_block(
    db::Write&, const std::string& domain, Severity, bool obfuscate,
    const std::optional<std::string>& public_comment
);

}  // namespace instance

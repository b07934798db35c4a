// SPDX-License-Identifier: AGPL-3.0-or-later
// Servers that staff allowed under limited federation: exactly these, without subdomains. Those that the
// operator configured (federation_mode.hpp) are allowed in addition.
#pragma once
#include "base/page.hpp"
#include "db/session.hpp"

namespace instance {

using DomainAllowId = base::Id<struct DomainAllowTag>;

// Both the row and the entity.
struct DomainAllow {
    static constexpr std::string_view entity = "Admin::DomainAllow";
    DomainAllowId id;
    std::string domain;
    base::Time created_at;
};
DESCRIBE(DomainAllow, id, domain, created_at)

std::vector<DomainAllow> domain_allows(db::Read&, const base::Range&);  // newest first
DomainAllow domain_allow(db::Read&, DomainAllowId);                     // throws NotFound
std::optional<DomainAllow> domain_allow_of(db::Read&, std::string_view domain);
// Accepts any spelling. Throws Invalid. A domain that is allowed already stays unchanged.
DomainAllowId allow_domain(db::Write&, const std::string& domain);
void disallow_domain(db::Write&, DomainAllowId);  // throws NotFound

// The normalised domain; throws Invalid with the API's message.
std::string checked_domain(std::string_view given);

// Whether federation with this server is off because only other servers are allowed.
bool is_left_out(db::Read&, std::string_view host);

}  // namespace instance

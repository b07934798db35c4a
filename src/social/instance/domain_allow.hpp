// SPDX-License-Identifier: AGPL-3.0-or-later
// Servers that staff lets in where only allowed ones are talked to: exactly these, not those below them. What the operator
// configured (federation_mode.hpp) stands beside.
#pragma once
#include "base/page.hpp"
#include "db/session.hpp"

namespace instance {

using DomainAllowId = base::Id<struct DomainAllowTag>;

// Row and entity at once.
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
// In any spelling. Throws Invalid. One that is allowed already stays as it is.
DomainAllowId allow_domain(db::Write&, const std::string& domain);
void disallow_domain(db::Write&, DomainAllowId);  // throws NotFound

// A domain in its one spelling, or Invalid with the API's words.
std::string checked_domain(std::string_view given);

// Whether this server is not talked to because only others are allowed.
bool is_left_out(db::Read&, std::string_view host);

}  // namespace instance

// SPDX-License-Identifier: AGPL-3.0-or-later
// The federation mode that the operator configured; every node of a site stores it at its start.
#pragma once
#include "base/describe.hpp"
#include "db/session.hpp"

namespace instance {

struct FederationMode {
    bool authorized_fetch = false;             // other servers must sign their requests for objects
    bool limited_federation = false;           // only with allowed servers, which must sign, too
    std::vector<std::string> allowed_servers;  // domains, including their subdomains

    bool readers_sign() const { return authorized_fetch || limited_federation; }
    bool allows(std::string_view host) const;  // the host may include a port
};
DESCRIBE(FederationMode, authorized_fetch, limited_federation, allowed_servers)

FederationMode federation_mode(db::Read&);
void expect_federation_mode(db::Read&);  // db::Read::expect
void set_federation_mode(db::Write&, const FederationMode&);

}  // namespace instance

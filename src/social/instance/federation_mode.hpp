// SPDX-License-Identifier: AGPL-3.0-or-later
// With whom this server federates, as its operator configured it: every node of a site writes it down at its start.
#pragma once
#include "base/describe.hpp"
#include "db/session.hpp"

namespace instance {

struct FederationMode {
    bool authorized_fetch = false;             // other servers must sign what they read
    bool limited_federation = false;           // only allowed ones are talked to, and they must sign, too
    std::vector<std::string> allowed_servers;  // domains, with all below them

    bool readers_sign() const { return authorized_fetch || limited_federation; }
    bool allows(std::string_view host) const;  // perhaps with a port
};
DESCRIBE(FederationMode, authorized_fetch, limited_federation, allowed_servers)

FederationMode federation_mode(db::Read&);
void expect_federation_mode(db::Read&);  // db::Read::expect
void set_federation_mode(db::Write&, const FederationMode&);

}  // namespace instance

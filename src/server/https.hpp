// SPDX-License-Identifier: AGPL-3.0-or-later
// HTTPS by itself: what the configuration says of certificates that the server has issued to itself (acme/keeper.hpp).
#pragma once
#include "acme/keeper.hpp"
#include "config/config.hpp"

namespace server {

// Where HTTPS is spoken and no certificate is named.
bool has_own_certificate(const Config&);
// Without what the running server adds: fetch, use and show.
acme::KeeperOptions acme_options(const Config&, const std::string& node);

Words faults_of_acme(const Config&);  // names for which no authority issues anything

// What an operator sees of it.
struct CertificateState {
    acme::Names names;
    std::string authority;
    std::optional<base::Time> valid_until, renew_at;
    std::optional<base::Time> failed_at, next_try;  // of the last try, when it failed
    std::string failure;
};
DESCRIBE(CertificateState, names, authority, valid_until, renew_at, failed_at, next_try, failure)
CertificateState certificate_state(db::Read&, const Config&);

}  // namespace server

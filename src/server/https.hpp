// SPDX-License-Identifier: AGPL-3.0-or-later
// Automatic HTTPS: the configuration of certificates that the server obtains itself (acme/keeper.hpp).
#pragma once
#include "acme/keeper.hpp"
#include "config/config.hpp"

namespace server {

// Whether HTTPS is enabled without naming a certificate.
bool has_own_certificate(const Config&);
// Without the parts that the running server adds: fetch, use and show.
acme::KeeperOptions acme_options(const Config&, const std::string& node);

Words faults_of_acme(const Config&);  // names for which no authority issues certificates

// The certificate's state, for operators.
struct CertificateState {
    acme::Names names;
    std::string authority;
    std::optional<base::Time> valid_until, renew_at;
    std::optional<base::Time> failed_at, next_try;  // of the last attempt, if it failed
    std::string failure;
};
DESCRIBE(CertificateState, names, authority, valid_until, renew_at, failed_at, next_try, failure)
CertificateState certificate_state(db::Read&, const Config&);

}  // namespace server

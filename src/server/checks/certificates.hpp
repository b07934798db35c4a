// SPDX-License-Identifier: AGPL-3.0-or-later
// The PEM files of the configuration.
#pragma once
#include "base/time.hpp"
#include "config/config.hpp"

#include <optional>

namespace server {

Words faults_of_certificates(const Config&);  // files that are missing, are none, or do not belong together
Words doubts_about_certificates(const Config&);  // tls_cert is over, or of another name; needs files without faults

// How long a certificate is good, and what is wrong with that now.
struct Validity {
    base::Time from, until;
};
// The first certificate in a text of PEM.
std::optional<Validity> validity_of(const std::string& pem);
// Of tls_cert as it is now; nothing without tls_listen, or when the file cannot be read.
std::optional<Validity> validity_of_file(const Config&);
// Whether it is over, or should have been renewed: a third of its time is left, and 14 days at most.
bool ends_soon(const Validity&, base::Time now);
// "ended on 2026-01-02", "ends in 3 days"; nothing while it has long enough to go.
std::optional<std::string> remark_on(const Validity&, base::Time now);

}  // namespace server

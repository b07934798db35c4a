// SPDX-License-Identifier: AGPL-3.0-or-later
// The PEM files of the configuration.
#pragma once
#include "base/time.hpp"
#include "config/config.hpp"

#include <optional>

namespace server {

Words faults_of_certificates(const Config&);     // files that are missing, invalid, or do not belong together
Words doubts_about_certificates(const Config&);  // tls_cert has expired or another name; for intact files

// The validity period of a certificate.
struct Validity {
    base::Time from, until;
};
// The first certificate in a text of PEM.
std::optional<Validity> validity_of(const std::string& pem);
// Of the current tls_cert; nullopt without tls_listen, or if the file cannot be read.
std::optional<Validity> validity_of_file(const Config&);
// Whether it has expired or is due for renewal: less than a third of its lifetime is left, at most 14 days.
bool ends_soon(const Validity&, base::Time now);
// "ended on 2026-01-02", "ends in 3 days"; nullopt while it is valid long enough.
std::optional<std::string> remark_on(const Validity&, base::Time now);

}  // namespace server

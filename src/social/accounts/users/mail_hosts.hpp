// SPDX-License-Identifier: AGPL-3.0-or-later
// Who takes the mail of a domain, asked of DNS before somebody signs up: providers are blocked by the names of their
// servers, too, and an address that nobody takes mail for is a mistake.
#pragma once
#include "base/ask.hpp"
#include "base/describe.hpp"

#include <string>
#include <vector>

namespace accounts {

struct MailHosts {
    bool known = false;              // DNS has answered
    std::vector<std::string> names;  // none: nobody takes mail there
};

struct FindMailHosts {
    std::string domain;
    using Answer = MailHosts;
};
DESCRIBE(FindMailHosts, domain)

// Of what stands behind the @; asks only where there is something.
MailHosts mail_hosts_of(const base::Ask&, std::string_view email);

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
// The mail servers of a domain, looked up in DNS before sign-up: providers can also be blocked by the names
// of their servers, and an address without a mail server is a mistake.
#pragma once
#include "base/ask.hpp"
#include "base/describe.hpp"

#include <string>
#include <vector>

namespace accounts {

struct MailHosts {
    bool known = false;              // DNS has answered
    std::vector<std::string> names;  // none: the domain receives no mail
};

struct FindMailHosts {
    std::string domain;
    using Answer = MailHosts;
};
DESCRIBE(FindMailHosts, domain)

// For the domain of the address; looks up nothing if there is none.
MailHosts mail_hosts_of(const base::Ask&, std::string_view email);

}  // namespace accounts

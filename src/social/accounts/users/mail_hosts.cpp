// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/mail_hosts.hpp"

#include "base/text/host.hpp"

namespace accounts {

MailHosts mail_hosts_of(const base::Ask& ask, std::string_view email) {
    auto at = email.rfind('@');
    auto domain = at == email.npos ? std::nullopt : base::text::normalized_domain(email.substr(at + 1));
    return domain ? ask(FindMailHosts{*domain}) : MailHosts{};
}

}  // namespace accounts

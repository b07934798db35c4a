// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/server_limits.hpp"

#include "social/instance/domain_limit.hpp"

namespace accounts {

// From one domain to the next over the index: there are few domains and many accounts.
const db::Query<std::string> domains_after{
    "domains_after",
    R"(WITH RECURSIVE known(domain) AS (
           SELECT (SELECT min(domain) FROM accounts WHERE domain <> '' AND domain > $1)
           UNION ALL
           SELECT (SELECT min(a.domain) FROM accounts a WHERE a.domain <> '' AND a.domain > known.domain)
           FROM known WHERE known.domain IS NOT NULL)
       SELECT domain FROM known WHERE domain IS NOT NULL)"
};

std::optional<std::string> next_domain_within(db::Read& db, std::string_view domain, std::string_view after) {
    for (auto& known : db.all(domains_after, after))
        if (instance::is_within(known, domain)) return std::move(known);
    return std::nullopt;
}

const db::Query<AccountId> some_accounts_of_server{
    "some_accounts_of_server",
    "SELECT id FROM accounts WHERE domain = $1 AND domain <> '' AND id > $2 ORDER BY id LIMIT $3"
};
const db::Command suspend_with_server{
    "suspend_with_server",
    R"(UPDATE accounts SET suspended_at = $2, suspended_by = 'domain', version = version + 1
       WHERE id IN (SELECT value FROM json_each($1)) AND suspended_at IS NULL)",
    R"(UPDATE accounts SET suspended_at = $2, suspended_by = 'domain', version = version + 1
       WHERE id = ANY($1::bigint[]) AND suspended_at IS NULL)"
};
const db::Command unsuspend_with_server{
    "unsuspend_with_server",
    R"(UPDATE accounts SET suspended_at = NULL, suspended_by = '', version = version + 1
       WHERE id IN (SELECT value FROM json_each($1)) AND suspended_by = 'domain')",
    R"(UPDATE accounts SET suspended_at = NULL, suspended_by = '', version = version + 1
       WHERE id = ANY($1::bigint[]) AND suspended_by = 'domain')"
};
const db::Command silence_with_server{
    "silence_with_server",
    R"(UPDATE accounts SET silenced_at = $2, silenced_by = 'domain', version = version + 1
       WHERE id IN (SELECT value FROM json_each($1)) AND silenced_at IS NULL)",
    R"(UPDATE accounts SET silenced_at = $2, silenced_by = 'domain', version = version + 1
       WHERE id = ANY($1::bigint[]) AND silenced_at IS NULL)"
};
const db::Command unsilence_with_server{
    "unsilence_with_server",
    R"(UPDATE accounts SET silenced_at = NULL, silenced_by = '', version = version + 1
       WHERE id IN (SELECT value FROM json_each($1)) AND silenced_by = 'domain')",
    R"(UPDATE accounts SET silenced_at = NULL, silenced_by = '', version = version + 1
       WHERE id = ANY($1::bigint[]) AND silenced_by = 'domain')"
};

void begin_limits(db::Write& db, const instance::ServerLimited& limited) {
    if (auto server = next_domain_within(db, limited.domain, ""))
        db.emit(ServerLimitsLeft{limited.domain, *server, {}});
}

void continue_limits(db::Write& db, const ServerLimitsLeft& left) {
    constexpr int chunk = 200;
    auto accounts = db.all(some_accounts_of_server, left.server, left.after, chunk);
    auto limit = instance::limit_on(db, left.server);
    if (limit.suspended) db.run(suspend_with_server, accounts, db.now());
    else db.run(unsuspend_with_server, accounts);
    if (limit.silenced) db.run(silence_with_server, accounts, db.now());
    else db.run(unsilence_with_server, accounts);
    if (accounts.size() == chunk) db.emit(ServerLimitsLeft{left.domain, left.server, accounts.back()});
    else if (auto next = next_domain_within(db, left.domain, left.server))
        db.emit(ServerLimitsLeft{left.domain, *next, {}});
}

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/remote/server_limits.hpp"

#include "social/instance/domain_block.hpp"
#include "social/media/withholding.hpp"

#include <algorithm>

namespace accounts {

const db::Command insert_known_server{
    "insert_known_server",
    "INSERT INTO known_servers (reversed, domain) VALUES ($1, $2) ON CONFLICT (reversed, domain) DO NOTHING"
};
const db::Query<std::string> next_of_host{
    "next_of_host",
    "SELECT domain FROM known_servers WHERE reversed = $1 AND domain > $2 ORDER BY domain LIMIT 1"
};
const db::Query<std::string> next_below{
    "next_below",
    R"(SELECT domain FROM known_servers WHERE (reversed, domain) > ($1, $2) AND reversed < $3
       ORDER BY reversed, domain LIMIT 1)"
};

namespace {

// "sub.far.example:3000" becomes "elpmaxe.raf.bus".
std::string reversed(std::string_view domain) {
    domain = domain.substr(0, domain.find(':'));
    return {domain.rbegin(), domain.rend()};
}

}  // namespace

void note_server(db::Write& db, std::string_view domain) {
    db.run(insert_known_server, reversed(domain), domain);
}

std::optional<std::string> next_domain_within(db::Read& db, std::string_view domain, std::string_view after) {
    const auto host = reversed(domain), at = reversed(after);
    if (at.empty() || at == host)
        if (auto next = db.maybe(next_of_host, host, after)) return next;
    const auto below = host + '.', beyond = host + '/';
    if (at.starts_with(below)) return db.maybe(next_below, at, after, beyond);
    return db.maybe(next_below, below, "", beyond);
}

const db::Query<AccountId> some_accounts_of_server{
    "some_accounts_of_server",
    "SELECT id FROM accounts WHERE domain = $1 AND domain <> '' AND id > $2 ORDER BY id LIMIT $3"
};
const db::Command suspend_with_server{
    "suspend_with_server",
    R"(UPDATE accounts SET suspended_at = $2, suspended_by = 'domain', version = version + 1
       WHERE id IN LIST($1) AND suspended_at IS NULL)"
};
const db::Command unsuspend_with_server{
    "unsuspend_with_server",
    R"(UPDATE accounts SET suspended_at = NULL, suspended_by = '', version = version + 1
       WHERE id IN LIST($1) AND suspended_by = 'domain')"
};
const db::Command silence_with_server{
    "silence_with_server",
    R"(UPDATE accounts SET silenced_at = $2, silenced_by = 'domain', version = version + 1
       WHERE id IN LIST($1) AND silenced_at IS NULL)"
};
const db::Command unsilence_with_server{
    "unsilence_with_server",
    R"(UPDATE accounts SET silenced_at = NULL, silenced_by = '', version = version + 1
       WHERE id IN LIST($1) AND silenced_by = 'domain')"
};

void begin_limits(db::Write& db, const instance::ServerLimited& limited) {
    if (auto server = next_domain_within(db, limited.domain, ""))
        db.emit(ServerLimitsContinued{limited.domain, *server, {}});
}

std::vector<AccountId> accounts_of_server(db::Read& db, std::string_view server, AccountId after, int limit) {
    return db.all(some_accounts_of_server, server, after, limit);
}

LimitedAccounts limit_accounts(
    db::Write& db, const std::vector<AccountId>& accounts, const instance::DomainLimit& limit
) {
    const std::int64_t suspended = limit.suspended ? db.run(suspend_with_server, accounts, db.now())
                                                   : db.run(unsuspend_with_server, accounts);
    const std::int64_t silenced = limit.silenced ? db.run(silence_with_server, accounts, db.now())
                                                 : db.run(unsilence_with_server, accounts);
    return {std::max(suspended, silenced), suspended > 0};
}

void continue_limits(db::Write& db, const ServerLimitsContinued& left) {
    constexpr int chunk = 200;
    auto accounts = accounts_of_server(db, left.server, left.after, chunk);
    const auto limited = limit_accounts(db, accounts, instance::limit_on(db, left.server));
    if (limited.suspensions) db.emit(media::SuspensionsChanged{accounts});
    if (accounts.size() == chunk) db.emit(ServerLimitsContinued{left.domain, left.server, accounts.back()});
    else if (auto next = next_domain_within(db, left.domain, left.server))
        db.emit(ServerLimitsContinued{left.domain, *next, {}});
}

}  // namespace accounts

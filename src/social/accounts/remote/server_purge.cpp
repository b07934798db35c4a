// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/remote/server_purge.hpp"

#include "social/accounts/remote/remote.hpp"
#include "social/accounts/remote/server_limits.hpp"
#include "social/instance/domain_block.hpp"

namespace accounts {

// With the rule they come back, if only by name.
const db::Command stay_with_rule{
    "stay_with_rule", "UPDATE accounts SET suspended_by = 'domain' WHERE id = $1 AND suspended_by = 'gone'"
};

// domain_blocks belongs to instance.
const db::Query<std::string> due_server_purges{
    "due_server_purges", "SELECT domain FROM domain_blocks WHERE purge_at < $1 ORDER BY domain LIMIT 100"
};
const db::Command begin_server_purge{
    "begin_server_purge", "UPDATE domain_blocks SET purge_at = NULL WHERE domain = $1"
};

void purge_suspended_servers(db::Write& db) {
    for (const auto& domain : db.all(due_server_purges, db.now())) {
        db.run(begin_server_purge, domain);
        if (!instance::limit_on(db, domain).suspended) continue;
        if (auto server = next_domain_within(db, domain, "")) db.emit(ServerPurging{domain, *server, {}});
        else db.emit(ServerPurged{domain});
    }
}

void continue_purging(db::Write& db, const ServerPurging& left) {
    constexpr int chunk = 10;  // each brings the jobs that empty it
    std::vector<AccountId> found;
    // Lifted meanwhile, or excepted by a longer rule.
    if (instance::limit_on(db, left.server).suspended)
        found = accounts_of_server(db, left.server, left.after, chunk);
    for (auto id : found) {
        if (is_gone(db, id)) continue;
        delete_remote(db, id);
        db.run(stay_with_rule, id);
    }
    if (std::ssize(found) == chunk) db.emit(ServerPurging{left.domain, left.server, found.back()});
    else if (auto next = next_domain_within(db, left.domain, left.server))
        db.emit(ServerPurging{left.domain, *next, {}});
    else db.emit(ServerPurged{left.domain});
}

}  // namespace accounts

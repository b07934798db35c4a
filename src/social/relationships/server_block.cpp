// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/server_block.hpp"

#include "social/accounts/remote/server_limits.hpp"
#include "social/instance/domain_limit.hpp"

#include <map>

namespace relationships {

namespace {

constexpr int chunk = 200;

struct Tie {
    AccountId there, here;
    bool followed = true, theirs = false;  // else asked for; by them
};
DESCRIBE(Tie, there, here, followed, theirs)

struct Untold {
    SeveranceId id;
    AccountId account;
};
DESCRIBE(Untold, id, account)

}  // namespace

// accounts belongs to accounts.
const db::Query<Tie> ties_with_server{
    "ties_with_server",
    R"(SELECT a.id AS there, f.account_id AS here, TRUE AS followed, FALSE AS theirs
       FROM accounts a JOIN follows f ON f.target_id = a.id WHERE a.domain = $1 AND a.domain <> '' AND a.id >= $2
       UNION ALL
       SELECT a.id, f.target_id, TRUE, TRUE
       FROM accounts a JOIN follows f ON f.account_id = a.id WHERE a.domain = $1 AND a.domain <> '' AND a.id >= $2
       UNION ALL
       SELECT a.id, r.account_id, FALSE, FALSE
       FROM accounts a JOIN follow_requests r ON r.target_id = a.id
       WHERE a.domain = $1 AND a.domain <> '' AND a.id >= $2
       UNION ALL
       SELECT a.id, r.target_id, FALSE, TRUE
       FROM accounts a JOIN follow_requests r ON r.account_id = a.id
       WHERE a.domain = $1 AND a.domain <> '' AND a.id >= $2
       ORDER BY 1 LIMIT $3)"
};
const db::Query<SeveranceId> severance_by_server{
    "severance_by_server",
    R"(SELECT id FROM severances WHERE account_id = $1 AND id >= $2 AND type = 'domain_block' AND target_name = $3
       ORDER BY id LIMIT 1)"
};
const db::Query<Untold> some_severances_by_server{
    "some_severances_by_server",
    R"(SELECT id, account_id AS account FROM severances WHERE id >= $1 AND type = 'domain_block' AND target_name = $2
       ORDER BY id LIMIT $3)"
};

namespace {

void end(db::Write& db, const Tie& tie) {
    if (tie.theirs) refuse(db, tie.here, tie.there);
    else unfollow(db, tie.here, tie.there);
}

// The event of one person and one suspension, which may be found in many accounts over there.
SeveranceId event_of(db::Write& db, AccountId here, const ServerSeveringLeft& left) {
    auto known = db.maybe(severance_by_server, here, left.first, left.domain);
    return known ? *known : db.new_id<SeveranceId>();
}

void note_losses(db::Write& db, const std::vector<Tie>& ties, const ServerSeveringLeft& left) {
    struct Lost {
        std::int64_t followers = 0, following = 0;
    };
    std::map<AccountId, Lost> lost;
    for (const auto& tie : ties)
        if (tie.followed) ++(tie.theirs ? lost[tie.here].followers : lost[tie.here].following);
    for (const auto& [here, n] : lost)
        count_losses(
            db,
            event_of(db, here, left),
            here,
            SeveranceType::domain_block,
            left.domain,
            n.followers,
            n.following
        );
}

}  // namespace

void begin_server_severing(db::Write& db, const instance::ServerLimited& limited) {
    if (!instance::limit_on(db, limited.domain).suspended) return;
    if (auto server = accounts::next_domain_within(db, limited.domain, ""))
        db.emit(ServerSeveringLeft{db.new_id<SeveranceId>(), limited.domain, *server, {}});
}

void continue_server_severing(db::Write& db, const ServerSeveringLeft& left) {
    std::vector<Tie> ties;
    if (instance::limit_on(db, left.server).suspended)
        ties = db.all(ties_with_server, left.server, left.from, chunk);
    for (const auto& tie : ties) end(db, tie);
    note_losses(db, ties, left);
    if (ties.size() == chunk)
        db.emit(ServerSeveringLeft{left.first, left.domain, left.server, ties.back().there});
    else if (auto next = accounts::next_domain_within(db, left.domain, left.server))
        db.emit(ServerSeveringLeft{left.first, left.domain, *next, {}});
    else db.emit(SeverancesUntold{left.domain, left.first});
}

void tell_severances(db::Write& db, const SeverancesUntold& untold) {
    auto events = db.all(some_severances_by_server, untold.next, untold.domain, chunk);
    for (const auto& event : events) db.emit(Severed{event.id, event.account});
    if (events.size() == chunk)
        db.emit(SeverancesUntold{untold.domain, SeveranceId{events.back().id.value + 1}});
}

}  // namespace relationships

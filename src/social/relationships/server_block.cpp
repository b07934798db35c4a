// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/server_block.hpp"

#include "social/accounts/remote/server_limits.hpp"
#include "social/instance/domain_block.hpp"
#include "social/relationships/severed_follow.hpp"

#include <map>

namespace relationships {

namespace {

constexpr int chunk = 200;

struct Tie {
    AccountId there, here;
    bool followed = true, theirs = false;  // followed: otherwise requested; theirs: by the remote account
};
DESCRIBE(Tie, there, here, followed, theirs)

struct UnnotifiedSeverance {
    SeveranceId id;
    AccountId account;
};
DESCRIBE(UnnotifiedSeverance, id, account)

}  // namespace

// The table accounts belongs to accounts. One account after the other: PostgreSQL would rather join the whole
// server with all follows.
#define TIES_SQLITE(table, here, there) "JOIN " table " f ON f." there " = a.id "
#define TIES_POSTGRES(table, here, there) \
    "CROSS JOIN LATERAL (SELECT " here " FROM " table " WHERE " there " = a.id OFFSET 0) f "
#define TIES_OF(ties, here, there, followed, theirs)                              \
    "SELECT a.id AS there, f." here " AS here, " followed " AS followed, " theirs \
    " AS theirs "                                                                 \
    "FROM accounts a " ties "WHERE a.domain = $1 AND a.domain <> '' AND a.id >= $2 "
#define TIES_WITH_SERVER(TIES)                                                                      \
    TIES_OF(TIES("follows", "account_id", "target_id"), "account_id", "target_id", "TRUE", "FALSE") \
    "UNION ALL " TIES_OF(TIES("follows", "target_id", "account_id"), "target_id", "account_id", "TRUE", "TRUE") \
    "UNION ALL "                                                                                             \
    TIES_OF(TIES("follow_requests", "account_id", "target_id"), "account_id", "target_id", "FALSE", "FALSE") \
    "UNION ALL "                                                                                             \
    TIES_OF(TIES("follow_requests", "target_id", "account_id"), "target_id", "account_id", "FALSE", "TRUE")  \
    "ORDER BY 1 LIMIT $3"
const db::Query<Tie> ties_with_server{
    "ties_with_server", TIES_WITH_SERVER(TIES_SQLITE), TIES_WITH_SERVER(TIES_POSTGRES)
};
const db::Query<SeveranceId> severance_by_server{
    "severance_by_server",
    R"(SELECT id FROM severances WHERE account_id = $1 AND id >= $2 AND type = 'domain_block' AND target_name = $3
       ORDER BY id LIMIT 1)"
};
const db::Query<UnnotifiedSeverance> some_severances_by_server{
    "some_severances_by_server",
    R"(SELECT id, account_id AS account FROM severances WHERE id >= $1 AND type = 'domain_block' AND target_name = $2
       ORDER BY id LIMIT $3)"
};

namespace {

void end(db::Write& db, const Tie& tie) {
    if (tie.theirs) refuse(db, tie.here, tie.there);
    else unfollow(db, tie.here, tie.there);
}

// The event of one person for one suspension, which may concern many accounts there.
SeveranceId event_of(db::Write& db, AccountId here, const ServerSeveringContinued& left) {
    auto known = db.maybe(severance_by_server, here, left.first, left.domain);
    return known ? *known : db.new_id<SeveranceId>();
}

// Called before they are removed.
void note_losses(db::Write& db, const std::vector<Tie>& ties, const ServerSeveringContinued& left) {
    struct Lost {
        std::int64_t followers = 0, following = 0;
        SeveranceId event;
    };
    std::map<AccountId, Lost> lost;
    for (const auto& tie : ties) {
        if (!tie.followed) continue;
        auto& theirs = lost[tie.here];
        if (!theirs.event) theirs.event = event_of(db, tie.here, left);
        ++(tie.theirs ? theirs.followers : theirs.following);
        keep_severed(db, theirs.event, tie.here, tie.there, tie.theirs);
    }
    for (const auto& [here, n] : lost)
        count_losses(db, n.event, here, SeveranceType::domain_block, left.domain, n.followers, n.following);
}

}  // namespace

void begin_server_severing(db::Write& db, const instance::ServerLimited& limited) {
    if (!instance::limit_on(db, limited.domain).suspended) return;
    if (auto server = accounts::next_domain_within(db, limited.domain, ""))
        db.emit(ServerSeveringContinued{db.new_id<SeveranceId>(), limited.domain, *server, {}});
}

void continue_server_severing(db::Write& db, const ServerSeveringContinued& left) {
    std::vector<Tie> ties;
    if (instance::limit_on(db, left.server).suspended)
        ties = db.all(ties_with_server, left.server, left.from, chunk);
    note_losses(db, ties, left);
    for (const auto& tie : ties) end(db, tie);
    if (ties.size() == chunk)
        db.emit(ServerSeveringContinued{left.first, left.domain, left.server, ties.back().there});
    else if (auto next = accounts::next_domain_within(db, left.domain, left.server))
        db.emit(ServerSeveringContinued{left.first, left.domain, *next, {}});
    else db.emit(SeverancesUnnotified{left.domain, left.first});
}

void notify_severances(db::Write& db, const SeverancesUnnotified& unnotified) {
    auto events = db.all(some_severances_by_server, unnotified.next, unnotified.domain, chunk);
    for (const auto& event : events) db.emit(Severed{event.id, event.account});
    if (events.size() == chunk)
        db.emit(SeverancesUnnotified{unnotified.domain, SeveranceId{events.back().id.value + 1}});
}

}  // namespace relationships

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/relationship.hpp"

namespace relationships {

namespace {

constexpr int chunk = 50;

struct Waiting {
    FollowRequestId request;
    AccountId account;
};
DESCRIBE(Waiting, request, account)

}  // namespace

const db::Query<Waiting> unlimited_requesters{
    "unlimited_requesters",
    R"(SELECT r.id AS request, r.account_id AS account
       FROM follow_requests r JOIN accounts a ON a.id = r.account_id
       WHERE r.target_id = $1 AND r.id > $2 AND a.silenced_at IS NULL AND a.suspended_at IS NULL
       ORDER BY r.id LIMIT $3)"
};

void accept_pending(db::Write& db, const accounts::Unlocked& unlocked) {
    continue_accepting_pending(db, {unlocked.account, {}});
}

void continue_accepting_pending(db::Write& db, const AcceptPendingContinued& from) {
    if (accounts::account(db, from.account).locked) return;  // locked again meanwhile
    auto waiting = db.all(unlimited_requesters, from.account, from.after, chunk);
    for (const auto& one : waiting) authorize_request(db, from.account, one.account);
    if (waiting.size() == chunk) db.emit(AcceptPendingContinued{from.account, waiting.back().request});
}

}  // namespace relationships

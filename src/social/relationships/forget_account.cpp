// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/forget_account.hpp"

namespace relationships {

namespace {

constexpr int chunk = 200;

struct Pair {
    AccountId account, target;
};
DESCRIBE(Pair, account, target)

}  // namespace

const db::Query<Pair> follows_tied_to{
    "follows_tied_to",
    R"(SELECT account_id AS account, target_id AS target FROM follows WHERE account_id = $1
       UNION ALL SELECT account_id, target_id FROM follows WHERE target_id = $1
       UNION ALL SELECT account_id, target_id FROM follow_requests WHERE account_id = $1
       UNION ALL SELECT account_id, target_id FROM follow_requests WHERE target_id = $1 LIMIT $2)"
};
const db::Query<Pair> blocks_tied_to{
    "blocks_tied_to",
    R"(SELECT account_id AS account, target_id AS target FROM blocks WHERE account_id = $1
       UNION ALL SELECT account_id, target_id FROM blocks WHERE target_id = $1 LIMIT $2)"
};

void begin_forgetting(db::Write& db, const accounts::AccountGone& gone) {
    continue_forgetting(db, {gone.account});
}

void continue_forgetting(db::Write& db, const TiesLeft& left) {
    auto follows = db.all(follows_tied_to, left.account, chunk);
    for (const auto& pair : follows) unfollow(db, pair.account, pair.target);
    auto blocks = db.all(blocks_tied_to, left.account, chunk);
    for (const auto& pair : blocks) unblock(db, pair.account, pair.target);
    if (follows.size() == chunk || blocks.size() == chunk) db.emit(left);
}

}  // namespace relationships

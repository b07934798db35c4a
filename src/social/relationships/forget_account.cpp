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

void continue_forgetting(db::Write& db, const TiesContinued& left) {
    auto follows = db.all(follows_tied_to, left.account, chunk);
    for (const auto& pair : follows) unfollow(db, pair.account, pair.target);
    auto blocks = db.all(blocks_tied_to, left.account, chunk);
    for (const auto& pair : blocks) unblock(db, pair.account, pair.target);
    if (follows.size() == chunk || blocks.size() == chunk) db.emit(left);
}

const db::Command drop_own_account_notes{
    "drop_own_account_notes",
    R"(DELETE FROM account_notes WHERE account_id = $1 AND target_id IN (
           SELECT target_id FROM account_notes WHERE account_id = $1 ORDER BY target_id LIMIT $2))"
};

const db::Command drop_own_endorsements{
    "drop_own_endorsements",
    R"(DELETE FROM endorsements WHERE account_id = $1 AND target_id IN (
           SELECT target_id FROM endorsements WHERE account_id = $1 ORDER BY target_id LIMIT $2))"
};

const db::Command drop_own_mutes{
    "drop_own_mutes",
    R"(DELETE FROM mutes WHERE account_id = $1 AND id IN (
           SELECT id FROM mutes WHERE account_id = $1 ORDER BY id LIMIT $2))"
};

const db::Command drop_own_user_domain_blocks{
    "drop_own_user_domain_blocks",
    R"(DELETE FROM user_domain_blocks WHERE account_id = $1 AND id IN (
           SELECT id FROM user_domain_blocks WHERE account_id = $1 ORDER BY id LIMIT $2))"
};

const db::Command drop_own_severances{
    "drop_own_severances",
    R"(DELETE FROM severances WHERE account_id = $1 AND id IN (
           SELECT id FROM severances WHERE account_id = $1 ORDER BY id LIMIT $2))"
};
const db::Command drop_own_severed_follows{
    "drop_own_severed_follows",
    R"(DELETE FROM severed_follows WHERE (severance_id, theirs, target_id) IN (
           SELECT f.severance_id, f.theirs, f.target_id
           FROM severances s JOIN severed_follows f ON f.severance_id = s.id WHERE s.account_id = $1 LIMIT $2))"
};

}  // namespace relationships

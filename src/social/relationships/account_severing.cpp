// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/severance.hpp"

#include "social/relationships/relationship.hpp"
#include "social/relationships/severed_follow.hpp"

namespace relationships {

namespace {

constexpr int chunk = 200;

struct OwnTie {
    AccountId here;
    bool followed = true, theirs = false;  // followed: otherwise requested; theirs: by the remote account
};
DESCRIBE(OwnTie, here, followed, theirs)

}  // namespace

const db::Query<OwnTie> ties_with_account{
    "ties_with_account",
    R"(SELECT account_id AS here, TRUE AS followed, FALSE AS theirs FROM follows WHERE target_id = $1
       UNION ALL SELECT target_id, TRUE, TRUE FROM follows WHERE account_id = $1
       UNION ALL SELECT account_id, FALSE, FALSE FROM follow_requests WHERE target_id = $1
       UNION ALL SELECT target_id, FALSE, TRUE FROM follow_requests WHERE account_id = $1 LIMIT $2)"
};
const db::Query<SeveranceId> severance_by_account{
    "severance_by_account",
    R"(SELECT id FROM severances
       WHERE account_id = $1 AND id >= $2 AND type = 'account_suspension' AND target_name = $3 ORDER BY id LIMIT 1)"
};

namespace {

// One event per person, for any number of ties. Called before the tie is removed.
void note_loss(
    db::Write& db, const OwnTie& tie, AccountId there, SeveranceId first, const std::string& name
) {
    auto known = db.maybe(severance_by_account, tie.here, first, name);
    auto id = known ? *known : db.new_id<SeveranceId>();
    count_losses(
        db, id, tie.here, SeveranceType::account_suspension, name, tie.theirs ? 1 : 0, tie.theirs ? 0 : 1
    );
    keep_severed(db, id, tie.here, there, tie.theirs);
    if (!known) db.emit(Severed{id, tie.here});
}

}  // namespace

void begin_account_severing(db::Write& db, const accounts::AccountSuspended& e) {
    continue_account_severing(db, {db.new_id<SeveranceId>(), e.account});
}

void continue_account_severing(db::Write& db, const AccountSeveringContinued& left) {
    auto there = accounts::find_account(db, left.account);
    if (!there || !there->suspended_at) return;  // unsuspended meanwhile
    auto ties = db.all(ties_with_account, left.account, chunk);
    for (const auto& tie : ties) {
        if (tie.followed) note_loss(db, tie, left.account, left.first, there->acct());
        if (tie.theirs) refuse(db, tie.here, left.account);
        else unfollow(db, tie.here, left.account);
    }
    if (ties.size() == chunk) db.emit(left);
}

}  // namespace relationships

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/administering.hpp"

#include "social/accounts/profile/profile.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/accounts/restricting.hpp"
#include "social/accounts/search.hpp"
#include "social/accounts/users/user.hpp"

namespace accounts {

const db::Command end_account{
    "end_account",
    R"(UPDATE accounts SET version = version + 1, suspended_at = COALESCE(suspended_at, $2), suspended_by = 'gone',
           display_name = '', note = '', note_html = '', fields = '[]', avatar = '', avatar_static = '',
           avatar_description = '', header = '', header_static = '', header_description = '',
           attribution_domains = '[]', discoverable = FALSE, indexable = FALSE, followers_count = 0,
           following_count = 0, statuses_count = 0, last_status_at = NULL, moved_to_id = NULL
       WHERE id = $1 AND domain = '' AND suspended_by <> 'gone')"
};
const db::Query<bool> account_is_gone{
    "account_is_gone", "SELECT EXISTS (SELECT 1 FROM accounts WHERE id = $1 AND suspended_by = 'gone')"
};
const db::Command delete_aliases{"delete_aliases", "DELETE FROM aliases WHERE account_id = $1"};

void delete_local(db::Write& db, AccountId id) {
    if (db.run(end_account, id, db.now()) == 0) throw base::NotFound();
    db.run(delete_aliases, id);
    forget_names(db, id);
    if (auto user = find_user_of(db, id)) remove_user(db, user->id);
    db.emit(AccountGone{id});
}

bool is_gone(db::Read& db, AccountId id) { return db.one(account_is_gone, id); }

// Suspended by a decision of this site.

const db::Command put_deletion{
    "put_deletion",
    R"(INSERT INTO deletions (account_id, due_at) VALUES ($1, $2)
       ON CONFLICT (account_id) DO UPDATE SET due_at = excluded.due_at)"
};
const db::Command drop_deletion{"drop_deletion", "DELETE FROM deletions WHERE account_id = $1"};
const db::Query<AccountId> due_deletions{
    "due_deletions", "SELECT account_id FROM deletions WHERE due_at < $1 ORDER BY due_at LIMIT 5"
};

void plan_deletion(db::Write& db, AccountId id) {
    db.run(put_deletion, id, db.now().plus_seconds(deleted_after_seconds));
}

void cancel_deletion(db::Write& db, AccountId id) { db.run(drop_deletion, id); }

void delete_suspended(db::Write& db, AccountId id) {
    if (db.run(drop_deletion, id) == 0) throw base::Forbidden();
    if (is_gone(db, id)) return;
    auto found = accounts_for_staff(db, {id});
    // A planned deletion no longer applies if the account is not suspended any more, for whatever reason.
    if (found.empty() || !restrictions(db, id).suspended) return;
    if (found[0].local()) delete_local(db, id);
    else delete_remote(db, id);
}

void delete_long_suspended(db::Write& db) {
    for (auto id : db.all(due_deletions, db.now())) delete_suspended(db, id);
}

}  // namespace accounts

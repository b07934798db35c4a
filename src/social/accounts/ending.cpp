// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/account.hpp"

#include "social/accounts/profile/profile.hpp"
#include "social/accounts/remote/remote.hpp"
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

const db::Query<AccountId> long_suspended{
    "long_suspended",
    R"(SELECT id FROM accounts WHERE domain = '' AND suspended_at < $1 AND suspended_by = ''
       ORDER BY suspended_at LIMIT 5)"
};

void delete_long_suspended(db::Write& db) {
    constexpr std::int64_t month = 30 * 86'400;
    for (auto id : db.all(long_suspended, db.now().plus_seconds(-month))) delete_local(db, id);
}

}  // namespace accounts

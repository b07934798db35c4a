// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/absence.hpp"

namespace accounts {

const db::Command begin_absence{
    "begin_absence",
    R"(UPDATE users SET away = TRUE
       WHERE id = $1 AND away = FALSE AND COALESCE(last_active_at, created_at) < $2)"
};
const db::Query<bool> absence_of_user{"absence_of_user", "SELECT away FROM users WHERE id = $1"};
const db::Query<bool> absence_of_account{
    "absence_of_account", "SELECT EXISTS (SELECT 1 FROM users WHERE account_id = $1 AND away = TRUE) AS away"
};
const db::Command close_absence{
    "close_absence", "UPDATE users SET away = FALSE WHERE id = $1 AND away = TRUE"
};
const db::Query<base::AccountId> account_of_returned{
    "account_of_returned", "SELECT account_id FROM users WHERE id = $1"
};

bool note_away(db::Write& db, base::UserId id, base::Time since) {
    return db.run(begin_absence, id, since) > 0;
}

bool still_away(db::Read& db, base::UserId id) { return db.maybe(absence_of_user, id).value_or(false); }

bool is_away(db::Read& db, base::AccountId id) { return db.one(absence_of_account, id); }

void end_absence(db::Write& db, base::UserId id) {
    if (db.run(close_absence, id) > 0) db.emit(CameBack{db.one(account_of_returned, id)});
}

}  // namespace accounts

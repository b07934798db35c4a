// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/private_rows.hpp"

namespace accounts {

namespace {

std::vector<const PrivateRows*>& enrolled() {
    static std::vector<const PrivateRows*> all;
    return all;
}

}  // namespace

PrivateRows::PrivateRows(const db::Command& deletes) : deletes_(&deletes) { enrolled().push_back(this); }

PrivateRows::PrivateRows(Forget forget) : forget_(forget) { enrolled().push_back(this); }

std::int64_t PrivateRows::forget(db::Write& db, AccountId account, int most) const {
    return forget_ ? forget_(db, account, most) : db.run(*deletes_, account, most);
}

void begin_forgetting_rows(db::Write& db, const AccountGone& gone) { db.emit(PrivateRowsLeft{gone.account}); }

void continue_forgetting_rows(db::Write& db, const PrivateRowsLeft& left) {
    constexpr int chunk = 200;
    std::int64_t gone = 0;
    for (const auto* rows : enrolled()) {
        auto some = rows->forget(db, left.account, chunk);
        gone += some;
        // The whole must not go before its parts.
        if (some >= chunk || gone >= 2 * chunk) return db.emit(left);
    }
}

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/private_rows.hpp"

namespace accounts {

std::int64_t PrivateRows::forget(db::Write& db, AccountId account, int most) const {
    return forget_ ? forget_(db, account, most) : db.run(*deletes_, account, most);
}

void begin_forgetting_rows(db::Write& db, const AccountGone& gone) {
    db.emit(PrivateRowsContinued{gone.account});
}

void forget_rows(db::Write& db, const PrivateRowsContinued& left, std::span<const PrivateRows> all) {
    constexpr int chunk = 200;
    std::int64_t gone = 0;
    for (const auto& rows : all) {
        auto some = rows.forget(db, left.account, chunk);
        gone += some;
        // A parent row must not be deleted before its parts.
        if (some >= chunk || gone >= 2 * chunk) return db.emit(left);
    }
}

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
// What belongs to one account and is of no use without it. Each subject names its own rows beside its SQL, and all of
// them go with the account.
#pragma once
#include "social/accounts/remote/remote.hpp"

namespace accounts {

// A static constant of this type enrols itself; within a file parts stand before the whole.
class PrivateRows {
public:
    using Forget = std::int64_t (*)(db::Write&, AccountId, int most);  // how many there were

    explicit PrivateRows(const db::Command& deletes);  // at most $2 rows of the account $1
    explicit PrivateRows(Forget);

    std::int64_t forget(db::Write&, AccountId, int most) const;

private:
    const db::Command* deletes_ = nullptr;
    Forget forget_ = nullptr;
};

struct PrivateRowsLeft {
    AccountId account;
};
DESCRIBE(PrivateRowsLeft, account)

// Reactions, some hundred rows at a time
void begin_forgetting_rows(db::Write&, const AccountGone&);
void continue_forgetting_rows(db::Write&, const PrivateRowsLeft&);

}  // namespace accounts

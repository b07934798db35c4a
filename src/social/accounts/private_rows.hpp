// SPDX-License-Identifier: AGPL-3.0-or-later
// What belongs to one account and is of no use without it, and goes with the account. The table is
// server/private_rows.cpp; each subject has the SQL for its own rows.
#pragma once
#include "social/accounts/remote/remote.hpp"

#include <span>

namespace accounts {

class PrivateRows {
public:
    using Forget = std::int64_t (*)(db::Write&, AccountId, int most);  // how many there were

    // `column` names the account, or the whole of which these are parts: "lists.account_id", "list_members.list_id".
    PrivateRows(std::string_view its_column, const db::Command& deletes)  // at most $2 rows of the account $1
        : column(its_column), deletes_(&deletes) {}
    PrivateRows(std::string_view its_column, Forget forget) : column(its_column), forget_(forget) {}

    std::int64_t forget(db::Write&, AccountId, int most) const;

    std::string_view column;

private:
    const db::Command* deletes_ = nullptr;
    Forget forget_ = nullptr;
};

struct PrivateRowsContinued {
    AccountId account;
};
DESCRIBE(PrivateRowsContinued, account)

void begin_forgetting_rows(db::Write&, const AccountGone&);  // reaction
// Some hundred rows; the rest is left to another event.
void forget_rows(db::Write&, const PrivateRowsContinued&, std::span<const PrivateRows>);

}  // namespace accounts

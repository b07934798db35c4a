// SPDX-License-Identifier: AGPL-3.0-or-later
// Rows that belong to one account and are deleted with it. The table is server/private_rows.cpp; each subject
// has the SQL for its own rows.
#pragma once
#include "social/accounts/remote/remote.hpp"

#include <span>

namespace accounts {

class PrivateRows {
public:
    using Forget = std::int64_t (*)(db::Write&, AccountId, int most);  // returns how many there were

    // `column` references the account, or the parent row of these rows: "lists.account_id",
    // "list_members.list_id".
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
// Deletes some hundred rows; another event continues.
void forget_rows(db::Write&, const PrivateRowsContinued&, std::span<const PrivateRows>);

}  // namespace accounts

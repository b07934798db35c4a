// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/restricting.hpp"

#include "social/accounts/administering.hpp"
#include "social/accounts/profile/profile.hpp"
#include "social/accounts/users/canonical_block.hpp"
#include "social/instance/domain_block.hpp"
#include "social/media/withholding.hpp"

namespace accounts {

const db::Query<Restrictions> restrictions_of_account{
    "restrictions_of_account",
    R"(SELECT suspended_at IS NOT NULL AS suspended, suspended_by, silenced_at IS NOT NULL AS limited,
              silenced_by AS limited_by
       FROM accounts WHERE id = $1)"
};
// Accounts deleted here stay deleted; those that their own server reported as deleted can be restored by it.
const db::Command suspend_account{
    "suspend_account",
    R"(UPDATE accounts SET suspended_at = COALESCE(suspended_at, $2), suspended_by = '', version = version + 1
       WHERE id = $1 AND (suspended_by <> 'gone' OR domain <> '') AND (suspended_at IS NULL OR suspended_by <> ''))"
};
// $2: the rules about its server, which also apply.
const db::Command unsuspend_account{
    "unsuspend_account",
    R"(UPDATE accounts SET suspended_at = CASE WHEN $2 THEN suspended_at ELSE NULL END,
           suspended_by = CASE WHEN $2 THEN 'domain' ELSE '' END, version = version + 1
       WHERE id = $1 AND suspended_by = '' AND suspended_at IS NOT NULL)"
};
const db::Command silence_account{
    "silence_account",
    R"(UPDATE accounts SET silenced_at = COALESCE(silenced_at, $2), silenced_by = '', version = version + 1
       WHERE id = $1 AND (suspended_by <> 'gone' OR domain <> '') AND (silenced_at IS NULL OR silenced_by <> ''))"
};
const db::Command unsilence_account{
    "unsilence_account",
    R"(UPDATE accounts SET silenced_at = CASE WHEN $2 THEN silenced_at ELSE NULL END,
           silenced_by = CASE WHEN $2 THEN 'domain' ELSE '' END, version = version + 1
       WHERE id = $1 AND silenced_by = '' AND silenced_at IS NOT NULL)"
};

namespace {

instance::DomainLimit limit_of_server(db::Read& db, const std::optional<Account>& account) {
    return account && !account->local() ? instance::limit_on(db, account->domain) : instance::DomainLimit{};
}

}  // namespace

Restrictions restrictions(db::Read& db, AccountId id) { return db.one(restrictions_of_account, id); }

void suspend(db::Write& db, AccountId id) {
    if (!is_gone(db, id)) {
        plan_deletion(db, id);
        block_email_of(db, id);
    }
    if (db.run(suspend_account, id, db.now()) == 0) return;
    db.emit(media::SuspensionsChanged{{id}});
    db.emit(ProfileChanged{id});
    auto account = find_account(db, id);
    if (account && !account->local()) db.emit(AccountSuspended{id});
}

void unsuspend(db::Write& db, AccountId id) {
    bool with_server = limit_of_server(db, find_account(db, id)).suspended;
    if (db.run(unsuspend_account, id, with_server) == 0) return;
    cancel_deletion(db, id);
    unblock_email_of(db, id);
    db.emit(media::SuspensionsChanged{{id}});
    db.emit(ProfileChanged{id});
}

void silence(db::Write& db, AccountId id) { db.run(silence_account, id, db.now()); }

void unsilence(db::Write& db, AccountId id) {
    db.run(unsilence_account, id, limit_of_server(db, find_account(db, id)).silenced);
}

const db::Command sensitize_account{
    "sensitize_account",
    R"(UPDATE accounts SET sensitized_at = COALESCE(sensitized_at, $2), version = version + 1 WHERE id = $1)"
};
const db::Command unsensitize_account{
    "unsensitize_account",
    R"(UPDATE accounts SET sensitized_at = NULL, version = version + 1
       WHERE id = $1 AND sensitized_at IS NOT NULL)"
};

void sensitize(db::Write& db, AccountId id) { db.run(sensitize_account, id, db.now()); }

void unsensitize(db::Write& db, AccountId id) { db.run(unsensitize_account, id); }

}  // namespace accounts

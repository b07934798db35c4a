// SPDX-License-Identifier: AGPL-3.0-or-later
// Accounts that are hidden, or deleted for good.
#include "server/console.hpp"
#include "social/accounts/ending.hpp"

namespace server {

namespace {

accounts::Account account_named(db::Read& db, const std::string& name) {
    auto account = accounts::find_local(db, name.starts_with('@') ? name.substr(1) : name);
    if (!account || (account->suspended_at && accounts::is_gone(db, account->id)))
        throw Refused("There is no account \"" + name + "\"; `dunlin account list` shows them all");
    return *account;
}

}  // namespace

int delete_account(const Settings& settings, const std::string& name, bool sure) {
    if (!sure) throw ConfigError("This cannot be undone; say --yes if it is meant so");
    Console console(settings.load().config, Console::Missing::refuse);
    auto deleted = console.write([&](db::Write& db) {
        auto account = account_named(db, name);
        accounts::delete_local(db, account.id);
        return account.username;
    });
    print("Account @" + deleted + " is deleted; what it wrote goes in the background.");
    return 0;
}

int suspend_account(const Settings& settings, const std::string& name, bool suspended) {
    Console console(settings.load().config, Console::Missing::refuse);
    auto changed = console.write([&](db::Write& db) {
        auto account = account_named(db, name);
        if (suspended) accounts::suspend(db, account.id);
        else accounts::unsuspend(db, account.id);
        return account.username;
    });
    print("Account @" + changed + (suspended ? " is suspended." : " is shown again."));
    return 0;
}

}  // namespace server

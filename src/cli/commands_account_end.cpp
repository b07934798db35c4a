// SPDX-License-Identifier: AGPL-3.0-or-later
// Suspending, limiting and deleting accounts.
#include "cli/cli_context.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/restricting.hpp"
#include "social/moderation/account_action.hpp"

namespace server {

namespace {

struct Restricted {
    base::AccountId id;
    std::string acct;
    bool suspended = false, limited = false;
};
DESCRIBE(Restricted, id, acct, suspended, limited)

accounts::Account refuse_gone(db::Read& db, const std::string& name, std::optional<accounts::Account> found) {
    if (!found || (found->suspended_at && accounts::is_gone(db, found->id)))
        throw Refused("There is no account \"" + name + "\"; `dunlin account list` shows those of this site");
    return *std::move(found);
}

accounts::Account local_named(db::Read& db, const std::string& name) {
    return refuse_gone(db, name, accounts::find_local(db, name.starts_with('@') ? name.substr(1) : name));
}

// Includes unconfirmed local accounts, and remote ones that are known here.
accounts::Account anybody_named(db::Read& db, const std::string& name) {
    auto acct = name.starts_with('@') ? name.substr(1) : name;
    auto found = accounts::find_local(db, acct);
    if (!found) found = accounts::find_by_acct(db, acct);
    return refuse_gone(db, name, std::move(found));
}

// Refuses if the account would stay restricted anyway, by its own server or by a rule about its server.
void refuse_what_is_left(const std::string& domain, const accounts::Restrictions& now, Restrict how) {
    if (how == Restrict::unsuspend && now.suspended && now.suspended_by == "remote")
        throw Refused("It is suspended by its own server, not by this one");
    if ((how == Restrict::unsuspend && now.suspended) || (how == Restrict::unlimit && now.limited))
        throw Refused(
            "The rule about its server holds still; `dunlin domain unblock " + domain + "` ends it"
        );
}

// Does not lift a rule about the account's server.
void apply(db::Write& db, accounts::AccountId account, Restrict how) {
    auto now = accounts::restrictions(db, account);
    const auto who = accounts::the_operator();
    moderation::AccountAction action;
    action.tell = false;
    switch (how) {
        case Restrict::suspend: action.type = moderation::StrikeAction::suspend; break;
        case Restrict::limit: action.type = moderation::StrikeAction::silence; break;
        case Restrict::unsuspend:
            if (now.suspended && now.suspended_by.empty()) moderation::unsuspend(db, who, account);
            return;
        case Restrict::unlimit:
            if (now.limited && now.limited_by.empty()) moderation::unsilence(db, who, account);
            return;
    }
    moderation::act(db, who, account, action);
}

std::string_view outcome(Restrict how) {
    switch (how) {
        case Restrict::suspend: return "is suspended.";
        case Restrict::unsuspend: return "is shown again.";
        case Restrict::limit: return "is limited.";
        case Restrict::unlimit: return "is not limited any more.";
    }
    return {};
}

}  // namespace

int delete_account(const Settings& settings, const std::string& name, bool sure) {
    if (!sure) throw ConfigError("This cannot be undone; say --yes if it is meant so");
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto deleted = cli.write([&](db::Write& db) {
        auto account = local_named(db, name);
        accounts::delete_local(db, account.id);
        moderation::log(
            db, accounts::the_operator(), "destroy", {"Account", account.id.value, account.username}
        );
        return account.username;
    });
    print("Account @" + deleted + " is deleted; what it wrote goes in the background.");
    return 0;
}

int restrict_account(const Settings& settings, const std::string& name, Restrict how) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    accounts::Account account;
    accounts::Restrictions now;
    cli.write([&](db::Write& db) {
        account = anybody_named(db, name);
        apply(db, account.id, how);
        now = accounts::restrictions(db, account.id);
    });
    refuse_what_is_left(account.domain, now, how);
    Restricted changed{account.id, account.acct(), now.suspended, now.limited};
    if (settings.json) return print_json(changed), 0;
    print("Account @" + changed.acct + " " + std::string(outcome(how)));
    return 0;
}

}  // namespace server

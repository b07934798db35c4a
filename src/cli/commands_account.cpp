// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "cli/roles.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/second_factor/second_factor.hpp"
#include "social/accounts/users/confirmation.hpp"
#include "social/moderation/audit.hpp"
#include "social/moderation/strike.hpp"

namespace server {

namespace {

struct Created {
    std::string id, username, email, role;
    bool confirmed = false;
    base::json::Omit<std::string> password;
};
DESCRIBE(Created, id, username, email, role, confirmed, password)

struct Changed {
    std::string username;
    base::json::Omit<std::string> password;
};
DESCRIBE(Changed, username, password)

accounts::User user_named(db::Read& db, const std::string& name) {
    auto wanted = name.starts_with('@') ? name.substr(1) : name;
    auto user = wanted.find('@') != wanted.npos ? accounts::find_by_email(db, wanted) : std::nullopt;
    if (!user)
        if (auto account = accounts::find_local(db, wanted)) user = accounts::find_user_of(db, account->id);
    if (!user) throw Refused("There is no login \"" + name + "\"; `dunlin account list` shows them all");
    return *user;
}

void check(const AccountChange& change) {
    bool anything = change.role || change.password || change.email || change.confirm || change.approve ||
                    change.enable || change.disable || change.reset_password || change.remove_second_factor;
    if (!anything) throw ConfigError("Nothing to change; `dunlin account modify --help` lists what can be");
    if (change.enable && change.disable) throw ConfigError("--enable and --disable exclude each other");
    if (change.password && change.reset_password)
        throw ConfigError("--password and --reset-password exclude each other");
}

void apply(db::Write& db, const accounts::User& user, const AccountChange& change, const std::string& hash) {
    if (change.email) accounts::set_email(db, user.id, *change.email);
    if (change.confirm) accounts::confirm(db, user.id);
    if (change.approve) accounts::approve(db, user.id);
    if (change.role) accounts::set_role(db, user.id, role_named(*change.role));
    if (change.remove_second_factor) {
        accounts::remove_second_factors(db, user.id);
        moderation::log(
            db,
            accounts::the_operator(),
            "disable_2fa",
            {"User", user.id.value, accounts::account(db, user.account_id).username}
        );
    }
    if (!hash.empty()) accounts::set_password(db, user.id, hash);
    if (change.enable) {
        accounts::set_disabled(db, user.id, false);
        moderation::lift_strikes(db, user.account_id, moderation::StrikeAction::disable);
    }
    if (change.disable) accounts::set_disabled(db, user.id, true);
}

}  // namespace

int create_account(const Settings& settings, const NewAccount& given) {
    auto config = settings.load().config;
    accounts::NewUser user;
    user.username = given.name.starts_with('@') ? given.name.substr(1) : given.name;
    user.email = given.email;
    user.role = role_named(given.role);
    user.confirmed = given.confirmed;
    auto password = given.password.empty() ? new_password() : given.password;
    user.password_hash = checked_hash(password);
    CliContext cli(config, CliContext::Missing::create);
    auto id = cli.write([&](db::Write& db) { return accounts::create_user(db, user); });
    auto made = cli.read([&](db::Read& db) { return accounts::user(db, id); });
    Created created{
        std::to_string(made.account_id.value),
        user.username,
        made.email,
        word_of(made.role_id),
        user.confirmed,
        {}
    };
    if (given.password.empty()) created.password = password;
    if (settings.json) return print_json(created), 0;
    print("Account @" + created.username + " created, role " + created.role + ".");
    if (created.password.value) print("Password: " + password);
    if (!user.confirmed)
        print(
            "It can be used once " + created.email + " is confirmed, by the mail or `dunlin account modify " +
            created.username + " --confirm`."
        );
    return 0;
}

int modify_account(const Settings& settings, const AccountChange& change) {
    check(change);
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto password = change.reset_password ? new_password() : change.password.value_or("");
    auto hash = change.reset_password || change.password ? checked_hash(password) : std::string();
    auto username = cli.write([&](db::Write& db) {
        auto user = user_named(db, change.name);
        apply(db, user, change, hash);
        return accounts::account(db, user.account_id).username;
    });
    Changed changed{username, {}};
    if (change.reset_password) changed.password = password;
    if (settings.json) return print_json(changed), 0;
    print("Account @" + username + " changed.");
    if (change.reset_password) print("Password: " + password);
    return 0;
}

}  // namespace server

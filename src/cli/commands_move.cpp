// SPDX-License-Identifier: AGPL-3.0-or-later
// Aliases of accounts, and moving from one account to another.
#include "cli/cli_context.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/moving/moving.hpp"

namespace server {

int add_alias(const Settings& settings, const std::string& name, const std::string& other) {
    auto config = settings.load().config;
    CliContext cli(config, CliContext::Missing::refuse);
    auto account = cli.read([&](db::Read& db) { return local_account(db, name); });
    auto alias = resolve_account(cli, config, other);
    auto uri = cli.write([&](db::Write& db) {
        auto found = accounts::uri_of(db.site(), accounts::account(db, alias));
        accounts::add_alias(db, account.id, found);
        return found;
    });
    print(uri + " is named by @" + account.username + " now.");
    return 0;
}

int remove_alias(const Settings& settings, const std::string& name, const std::string& other) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    bool removed = cli.write([&](db::Write& db) {
        return accounts::remove_alias(db, local_account(db, name).id, other);
    });
    if (!removed) throw Refused("There is no alias " + other + "; `dunlin account alias list` shows them");
    print("Removed");
    return 0;
}

int list_aliases(const Settings& settings, const std::string& name) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto all = cli.read([&](db::Read& db) { return accounts::aliases(db, local_account(db, name).id); });
    if (settings.json) return print_json(all), 0;
    for (const auto& uri : all) print(uri);
    return 0;
}

int move_account(const Settings& settings, const std::string& name, const std::string& target) {
    auto config = settings.load().config;
    CliContext cli(config, CliContext::Missing::refuse);
    auto account = cli.read([&](db::Read& db) { return local_account(db, name); });
    auto there = resolve_account(cli, config, target);
    try {
        cli.write([&](db::Write& db) { federation::move_out(db, account.id, there); });
    } catch (const base::Invalid& e) {
        throw Refused(e.what());
    }
    print("Account @" + account.username + " has moved; its followers are told in the background.");
    return 0;
}

}  // namespace server

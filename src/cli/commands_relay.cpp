// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "social/federation/delivery/delivery_scope.hpp"
#include "social/federation/relays/relay.hpp"

namespace server {

int add_relay(const Settings& settings, const std::string& address) {
    auto config = settings.load().config;
    CliContext cli(config, CliContext::Missing::refuse);
    auto inbox = address;
    std::string actor;
    if (!address.ends_with("/inbox")) {
        auto account = resolve_account(cli, config, address);
        inbox = cli.read([&](db::Read& db) { return federation::inbox_of(db, account); });
        actor = cli.read([&](db::Read& db) { return accounts::account(db, account).uri; });
        if (inbox.empty()) throw Refused(address + " is no relay");
    }
    try {
        cli.write([&](db::Write& db) { federation::add_relay(db, address, inbox, actor); });
    } catch (const base::Invalid& e) {
        throw Refused(e.what());
    }
    print("Asked; `dunlin relay list` shows what it answers.");
    return 0;
}

int remove_relay(const Settings& settings, const std::string& address) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    bool removed = cli.write([&](db::Write& db) { return federation::remove_relay(db, address); });
    if (!removed) throw Refused("There is no relay " + address + "; `dunlin relay list` shows them");
    print("Removed");
    return 0;
}

int list_relays(const Settings& settings) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto all = cli.read(federation::relays);
    if (settings.json) return print_json(all), 0;
    std::vector<std::vector<std::string>> rows{{"RELAY", "STATE", "SINCE"}};
    for (const auto& one : all)
        rows.push_back({one.address, std::string(base::word(one.state)), base::to_string(one.created_at)});
    print_table(rows);
    return 0;
}

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "config/clock.hpp"
#include "config/config_table.hpp"
#include "db/connection.hpp"
#include "db/transaction.hpp"
#include "net/client/http_client.hpp"
#include "server/checks.hpp"
#include "server/external_services.hpp"
#include "social/accounts/users/user.hpp"

namespace server {

namespace {

struct Shown {
    std::string name;
    base::json::Raw value;
    std::string from;
    bool secret = false;
};
DESCRIBE(Shown, name, value, from, secret)

constexpr const char* mask = "********";

bool hidden(const Config& config, const Option& option) {
    return option.secret && !value_of(config, option).empty();
}

std::string shown_value(const Config& config, const Option& option) {
    if (hidden(config, option)) return mask;
    auto value = value_of(config, option);
    return value.empty() ? "-" : value;
}

std::string origin(const Loaded& loaded, const Option& option) {
    auto from = loaded.origin(option.name);
    bool derived = from == "default" && value_of(loaded.config, option) != value_of(Config{}, option);
    return derived ? "derived" : from;
}

// What the database says, when there is one. Nothing is brought up to date: a server of an earlier version may run.
void check_database(const Config& config, Words& faults, Words& found) {
    db::Options options;
    options.postgres_url = config.database;
    options.sqlite_file = config.database_file();
    if (!config.postgres() && !std::filesystem::exists(options.sqlite_file)) return;
    auto site = site_of(config);
    try {
        auto connection = db::open_connection(options, db::Mode::read);
        db::read_now(*connection, {&site, clock_now, nullptr}, [&](db::Read& db) {
            accounts::has_owner(db);  // any question will do
            if (auto doubt = doubt_about_contact(db)) found.push_back(*doubt);
        });
    } catch (const db::Outage& e) {
        faults.push_back(
            "database: it does not answer (" + e.cause.substr(0, e.cause.find('\n')) +
            "); start it, or correct the address"
        );
    } catch (const db::Damaged& e) {
        faults.push_back(
            "data: " + options.sqlite_file.string() + " is damaged, or is no SQLite database (" + e.what() +
            "); put a backup in its place, or name another folder"
        );
    } catch (const db::Failure&) {
        // Not brought up to date yet; `serve` does that.
    }
}

}  // namespace

int check_config(const Settings& settings, bool offline) {
    auto loaded = settings.load();
    auto faults = faults_of_files(loaded.config), found = doubts(loaded.config);
    if (!offline) {
        check_database(loaded.config, faults, found);
        net::HttpClient client(client_options(loaded.config));
        auto fetch = [&client](const base::Fetch& question) { return client.fetch(question); };
        if (auto doubt = doubt_about_domain(loaded.config, fetch)) found.push_back(*doubt);
    }
    for (const auto& list : {faults, found})
        for (const auto& line : list) print_note(line);
    if (!faults.empty()) return 2;
    if (!found.empty()) return 1;
    print(
        loaded.file ? "The configuration in " + loaded.file->string() + " is good."
                    : "The configuration is good; there is no file dunlin.toml in " + loaded.config.data + "."
    );
    return 0;
}

int show_config(const Settings& settings) {
    auto loaded = settings.load();
    std::vector<Shown> all;
    std::vector<std::vector<std::string>> table{{"OPTION", "VALUE", "FROM"}};
    for (const auto& option : options()) {
        auto from = origin(loaded, option);
        auto json =
            hidden(loaded.config, option) ? base::json::to_string(mask) : json_of(loaded.config, option);
        all.push_back({std::string(option.name), {json}, from, option.secret});
        table.push_back({std::string(option.name), shown_value(loaded.config, option), from});
    }
    if (settings.json) print_json(all);
    else print_table(table);
    return 0;
}

}  // namespace server

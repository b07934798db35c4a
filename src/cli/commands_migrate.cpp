// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "config/clock.hpp"
#include "db/log/database_file.hpp"
#include "db/migrate.hpp"
#include "server/backups.hpp"
#include "server/monitoring/builds.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <regex>

namespace server {

namespace {

struct Step {
    std::string migration, what, table;
    std::int64_t rows = 0;  // approximate number of rows of the table
    double seconds = 0;
};
DESCRIBE(Step, migration, what, table, rows, seconds)

struct Outlook {
    std::vector<std::string> migrations;
    std::vector<Step> steps;  // steps whose duration depends on the size of the site
    double seconds = 0;
};
DESCRIBE(Outlook, migrations, steps, seconds)

const db::Query<std::int64_t> estimated_rows{
    "estimated_rows",
    "SELECT 0 AS n WHERE $1 = ''",
    R"(SELECT CAST(greatest(reltuples, 0) AS BIGINT) FROM pg_class WHERE relname = $1 AND relkind = 'r')"
};

std::int64_t rows_of(const Config& config, db::Connection& connection, const std::string& table) {
    if (config.postgres()) {
        const auto site = site_of(config);
        const db::Context context{&site, clock_now, nullptr};
        return db::read_now(
                   connection, context, [&](db::Read& db) { return db.maybe(estimated_rows, table); }
        ).value_or(0);
    }
    // The name comes from our own migration.
    const auto there = db::lines_of(
        config.database_file(),
        ("SELECT name FROM sqlite_schema WHERE type = 'table' AND name = '" + table + "'").c_str()
    );
    if (there.empty()) return 0;  // a migration creates it
    std::int64_t rows = 0;
    for (const auto& line : db::lines_of(config.database_file(), ("SELECT count(*) FROM " + table).c_str()))
        std::from_chars(line.data(), line.data() + line.size(), rows);
    return rows;
}

// Measured on two cores with a database of 700,000 posts.
struct Kind {
    const char* pattern;
    const char* what;
    double microseconds;  // per row
};
constexpr Kind kinds[] = {
    {R"(CREATE\s+(?:UNIQUE\s+)?INDEX\s+\w+\s+ON\s+(\w+))", "indexes", 0.9},
    {R"(\bUPDATE\s+(\w+)\s+SET)", "changes rows of", 5},
    {R"(\bDELETE\s+FROM\s+(\w+))", "removes rows of", 5},
    {R"(\bDROP\s+TABLE\s+(\w+))", "removes", 1},
    {R"(\bALTER\s+TABLE\s+(\w+)\s+DROP\s+COLUMN)", "rewrites", 3.5},
};

Outlook outlook(const Config& config, db::Connection& connection) {
    const auto all = db::embedded_migrations(config.postgres());
    Outlook out;
    out.migrations = db::pending_migrations(connection, all);
    for (const auto& migration : all) {
        if (std::ranges::find(out.migrations, migration.name) == out.migrations.end()) continue;
        for (const auto& kind : kinds) {
            const std::regex pattern(kind.pattern, std::regex::icase);
            for (std::sregex_iterator at(migration.sql.begin(), migration.sql.end(), pattern), end; at != end;
                 ++at) {
                Step step{migration.name, kind.what, (*at)[1].str()};
                step.rows = rows_of(config, connection, step.table);
                step.seconds = std::round(static_cast<double>(step.rows) * kind.microseconds / 1e4) / 100;
                if (step.rows == 0) continue;
                out.seconds += step.seconds;
                out.steps.push_back(std::move(step));
            }
        }
    }
    return out;
}

std::string shown(double seconds) {
    if (seconds < 0.1) return "less than 0.1 s";
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", seconds);
    return std::string("about ") + text;
}

int show(const Outlook& found) {
    if (found.migrations.empty()) return print("The database is up to date."), 0;
    for (const auto& name : found.migrations) {
        print("would apply " + name);
        for (const auto& step : found.steps)
            if (step.migration == name)
                print(
                    "    " + step.what + " " + step.table + ", " + std::to_string(step.rows) +
                    " rows: " + shown(step.seconds)
                );
    }
    print("All together: " + shown(found.seconds) + ". Nothing was changed.");
    return 0;
}

std::unique_ptr<db::Connection> connection_to_look(const Config& config) {
    if (!config.postgres() && !std::filesystem::exists(config.database_file()))
        throw Refused("There is no database in the folder " + config.data + " yet; `dunlin serve` makes it");
    db::Options options;
    options.sqlite_file = config.database_file();
    options.postgres_url = config.database;
    options.keep_log = true;
    return db::open_connection(options, db::Mode::write);
}

struct Standing {
    std::vector<std::string> missing;  // migrations
    std::vector<Build> builds;
};
DESCRIBE(Standing, missing, builds)

int look_ahead(const Settings& settings, const Config& config) {
    const auto connection = connection_to_look(config);
    const auto found = outlook(config, *connection);
    if (settings.json) return print_json(found), 0;
    return show(found);
}

}  // namespace

int show_migrations(const Settings& settings) {
    const auto config = settings.load().config;
    const auto connection = connection_to_look(config);
    Standing now;
    now.missing = db::pending_migrations(*connection, db::embedded_migrations(config.postgres()));
    const auto site = site_of(config);
    const db::Context context{&site, clock_now, nullptr};
    // An earlier version may have other tables.
    if (now.missing.empty()) now.builds = db::read_now(*connection, context, builds);
    if (settings.json) return print_json(now), 0;
    if (!now.missing.empty()) {
        print(
            std::to_string(now.missing.size()) +
            (now.missing.size() == 1 ? " step is missing, " : " steps are missing, up to ") +
            now.missing.back() + "; dunlin migrate --dry-run says what that does"
        );
        return 0;
    }
    print("The database is up to date.");
    for (const auto& build : now.builds) print(shown(build));
    if (now.builds.empty()) print("Nothing is built beside the server.");
    return 0;
}

int migrate(const Settings& settings, bool dry_run) {
    const auto config = settings.load().config;
    if (dry_run) return look_ahead(settings, config);
    CliContext cli(config, CliContext::Missing::create);
    if (settings.json) return print_json(cli.migrated()), 0;
    for (const auto& name : cli.migrated()) print("applied " + name);
    if (cli.migrated().empty()) print("The database is up to date.");
    return 0;
}

}  // namespace server

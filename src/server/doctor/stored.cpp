// SPDX-License-Identifier: AGPL-3.0-or-later
// The database, and what waits in it.
#include "base/deadline.hpp"
#include "base/text/figures.hpp"
#include "config/clock.hpp"
#include "db/migrate.hpp"
#include "db/open.hpp"
#include "db/postgres/progress.hpp"
#include "jobs/listing.hpp"
#include "server/checks/checks.hpp"
#include "server/doctor/parts.hpp"
#include "server/https.hpp"
#include "server/monitoring/builds.hpp"
#include "server/nodes/node_rows.hpp"
#include "social/federation/delivery/hosts.hpp"

#include <algorithm>
#include <set>
#include <thread>

namespace server {

std::unique_ptr<db::Connection> connection_to(const Config& config, const std::string& postgres) {
    db::Options options;
    options.postgres_url = postgres;
    options.sqlite_file = config.database_file();
    options.keep_log = true;
    return db::open_connection(options, db::Mode::read);
}

namespace {

using base::text::span;

// SQLite looks through all of its file; PostgreSQL has means of its own.
const db::Query<std::string> first_faults{
    "first_faults", "SELECT quick_check FROM pragma_quick_check LIMIT 1", "SELECT 'ok'::text AS quick_check"
};

const db::Query<std::string> steps_taken{"steps_taken", "SELECT name FROM schema_migrations ORDER BY name"};

struct Connections {
    std::int64_t most = 0, used = 0;
};
DESCRIBE(Connections, most, used)
const db::Query<Connections> postgres_connections{
    "postgres_connections",
    "SELECT 0 AS most, 0 AS used",
    R"(SELECT current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint
           AS most, (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS used)"
};

template <class F>
auto read(db::Connection& connection, const Config& config, F&& f) {
    auto site = site_of(config);
    return db::read_now(connection, {&site, clock_now, nullptr}, f);
}

bool is_there(const Config& config) {
    return config.postgres() || std::filesystem::exists(config.database_file());
}

void compare_migrations(db::Connection& connection, const Patient& patient, Part& part) {
    const auto& config = patient.config;
    const auto applied = read(connection, config, [](db::Read& db) { return db.all(steps_taken); });
    std::set<std::string> unknown(applied.begin(), applied.end());
    int missing = 0;
    for (const auto& migration : db::embedded_migrations(config.postgres()))
        if (unknown.erase(migration.name) == 0) ++missing;
    if (!unknown.empty())
        part.fault(
            "the database was brought up to date by a newer Dunlin (" + *unknown.rbegin() +
            "); run that one, or restore a backup of before"
        );
    else if (missing > 0) {
        part.warn(
            "the database is of an earlier version and lacks " + std::to_string(missing) +
            " steps; start the server, or run dunlin migrate"
        );
        offer_to_take_steps(patient, missing);
    }
}

void look_for_damage(db::Connection& connection, const Config& config) {
    std::vector<std::string> lines;
    try {
        lines = read(connection, config, [](db::Read& db) { return db.all(first_faults); });
    } catch (const base::TimedOut&) {
        return;  // large, and sound as far as it was looked at
    }
    if (lines.empty() || lines.front() != "ok") throw db::Damaged(lines.empty() ? "" : lines.front());
}

void count_connections(db::Connection& connection, const Config& config, Part& part) {
    const auto found = read(connection, config, [](db::Read& db) { return db.one(postgres_connections); });
    constexpr int usual = 16, others = 4;
    const int wanted = (config.readers > 0 ? config.readers : usual) +
                       (config.writers > 0 ? config.writers : usual) + others;
    if (found.most < wanted)
        part.warn(
            "PostgreSQL allows " + std::to_string(found.most) + " connections and this server wants " +
            std::to_string(wanted) + "; raise max_connections there, or lower readers and writers here"
        );
    else if (found.used * 10 > found.most * 9)
        part.warn(
            std::to_string(found.used) + " of " + std::to_string(found.most) +
            " connections of PostgreSQL are taken; raise max_connections there, or lower readers and writers"
        );
}

// Whether it gets what the primary has now, and soon.
void ask_how_late(db::Connection& primary, const Config& config, Part& part) {
    if (config.database_replica.empty()) return;
    constexpr std::chrono::seconds soon{3};
    auto number = [](db::Connection& connection, const db::Query<std::int64_t>& sql) {
        const auto rows = connection.query(sql, {});
        return rows->next() ? rows->integer(0) : 0;
    };
    const auto wanted = db::end_of_last_change(number(primary, db::position_now));
    auto replica = connection_to(config, config.database_replica);
    const auto until = std::chrono::steady_clock::now() + soon;
    for (;; std::this_thread::sleep_for(std::chrono::milliseconds(50))) {
        const auto has = number(*replica, db::replayed_now);
        if (has < 0)
            return part.warn(
                "database_replica is no replica (any more), so database serves all that reads; make it one, "
                "or "
                "leave it out"
            );
        const auto missing = static_cast<std::int64_t>(wanted.value) - has;
        if (missing <= 0) return;
        if (std::chrono::steady_clock::now() < until) continue;
        return part.warn(
            "the replica has not got in 3 s what the primary had, " +
            std::to_string((missing + 1023) / 1024) +
            " KB are missing; look at its load and its log, or leave database_replica out. Who has just "
            "written "
            "reads from the primary meanwhile, and at 10 s everybody"
        );
    }
}

void look_inside(const Patient& patient, Part& part) {
    const auto& config = patient.config;
    try {
        auto connection = connection_to(config, config.database);
        compare_migrations(*connection, patient, part);
        if (config.postgres()) count_connections(*connection, config, part);
        else look_for_damage(*connection, config);
        auto replica = ask_replica(config);
        part.add(patient.loaded, Level::warning, replica.doubts);
        if (replica.doubts.empty()) ask_how_late(*connection, config, part);
    } catch (const db::Damaged& e) {
        part.fault(
            config.database_file().string() + " is damaged (" + e.what() +
            "); stop the server and restore a backup: dunlin restore FROM --to DIR"
        );
    } catch (const db::Failure& e) {
        part.fault(
            std::string("the database does not answer as one of Dunlin (") + e.what() +
            "); name the right one with --data or --database"
        );
    }
}

}  // namespace

Diagnosis see_database(const Patient& patient) {
    const auto& config = patient.config;
    Part part("database");
    if (!is_there(config)) {
        part.fault(
            "there is no database in " + config.data +
            " yet; start the server once (dunlin serve), or name the right folder with --data"
        );
        return part.or_well({});
    }
    if (!may_open_database(config))
        return part.or_well("not looked at, as it belongs to another user; see data");
    auto found = ask_database(config);
    part.add(patient.loaded, Level::fault, found.faults);
    part.add(patient.loaded, Level::warning, found.doubts);
    if (found.faults.empty()) look_inside(patient, part);
    return part.or_well(
        config.postgres() ? "PostgreSQL answers and is up to date"
                          : config.database_file().string() + " is sound and up to date"
    );
}

Diagnosis see_work(const Patient& patient) {
    const auto& config = patient.config;
    Part part("work");
    if (!may_open_database(config) || !ask_database(config).faults.empty())
        return part.or_well("not looked at, for want of a database");
    Backlog waits;
    std::vector<federation::HostLine> hosts;
    std::vector<jobs::FailedJob> given_up;
    std::vector<Build> being_built;
    try {
        auto connection = connection_to(config, config.database);
        read(*connection, config, [&](db::Read& db) {
            waits = backlog(db);
            hosts = federation::hosts(db);
            given_up = jobs::given_up(db);
            being_built = builds(db);
        });
    } catch (const db::Failure&) {
        return part.or_well("not looked at, as the database is of another version; see database");
    }
    if (waits.jobs_late_seconds > 3600)
        part.fault(
            "background work has waited for " + span(waits.jobs_late_seconds) +
            "; see that a server with the role jobs runs, and what its log says of jobs"
        );
    else if (waits.jobs_late_seconds > 300)
        part.warn(
            "background work has waited for " + span(waits.jobs_late_seconds) +
            "; if that grows, give it more with job_threads"
        );
    if (!given_up.empty())
        part.warn(
            (given_up.size() == 1 ? std::string("1 job was") : std::to_string(given_up.size()) + " jobs were"
            ) +
            " given up after many tries, such as " + given_up.front().kind +
            "; dunlin jobs list names their errors, and when the reason is mended dunlin jobs retry has them "
            "done"
        );
    for (const auto& build : being_built)
        if (build.error && !build.given_up) part.warn(shown(build));
    std::vector<std::string> away;
    for (const auto& host : hosts)
        if (host.state != federation::HostState::well) away.push_back(host.host);
    if (away.size() >= 3 && away.size() * 2 > hosts.size())
        part.warn(
            "nothing can be delivered to " + std::to_string(away.size()) + " of " +
            std::to_string(hosts.size()) + " other servers, such as " + away.front() +
            "; see the last errors with dunlin federation queue, and whether this machine reaches the "
            "internet"
        );
    return part.or_well(
        std::to_string(waits.jobs_waiting) + " jobs and " + std::to_string(waits.deliveries_waiting) +
        " deliveries wait, " + std::to_string(away.size()) + " of " + std::to_string(hosts.size()) +
        " other servers fail"
    );
}

std::optional<Seen> see_issuing(const Config& config) {
    if (!is_there(config) || !may_open_database(config)) return std::nullopt;
    try {
        auto connection = connection_to(config, config.database);
        const auto state =
            read(*connection, config, [&](db::Read& db) { return certificate_state(db, config); });
        if (!state.failed_at) return std::nullopt;
        return Seen{
            Level::warning,
            "certificate",
            "no new certificate was issued for " + acme::joined(state.names) + " (" + state.failure +
                "); mend that, and it is tried again after " +
                base::to_string(base::WholeSeconds{state.next_try->ms}) +
                "; docs/operating/https.md says what helps"
        };
    } catch (const std::exception&) {
        return std::nullopt;  // what is wrong with the database is told where it is looked at
    }
}

}  // namespace server

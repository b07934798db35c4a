// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/portable/target.hpp"

#include "db/migrate.hpp"
#include "db/open.hpp"
#include "db/postgres_connection.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace db::portable {

namespace {

namespace fs = std::filesystem;

// Migrations insert rows into these tables; all others are empty in an empty database.
constexpr std::string_view begun_by_migrations[] = {
    "roles", "jobs", "audit_heads", "acme_lease", "dump_turns"
};

// As in migration 0009: jobs index the copied rows in chunks.
constexpr const char* derive =
    "INSERT INTO jobs (id, kind, payload, run_at, created_at)"
    " SELECT 9001, 'index_older', '{\"below\":\"9223372036854775807\"}', 0, 0"
    " WHERE EXISTS (SELECT 1 FROM statuses) ON CONFLICT DO NOTHING;"
    "INSERT INTO jobs (id, kind, payload, run_at, created_at)"
    " SELECT 9002, 'index_older_accounts', '{\"below\":\"9223372036854775807\"}', 0, 0"
    " WHERE EXISTS (SELECT 1 FROM accounts) ON CONFLICT DO NOTHING;";

std::vector<Migration> up_to(const std::string& last, bool postgres) {
    auto all = embedded_migrations(postgres);
    const auto found = std::ranges::find(all, last, &Migration::name);
    if (found == all.end())
        throw MigrationError(
            "The dump is of a database that a newer program has brought to " + last +
            ", which this one does not know; load it with that program"
        );
    all.erase(found + 1, all.end());
    return all;
}

void keep_on_disk(const fs::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool kept = file >= 0 && ::fsync(file) == 0;
    const int why = errno;
    if (file >= 0) ::close(file);
    if (!kept) throw Failure(path.string() + " cannot be written to the disk (" + std::strerror(why) + ")");
}

}  // namespace

Target::Target(Options options, const std::string& migration, base::Time now) : options_(std::move(options)) {
    const auto migrations = up_to(migration, options_.postgres());
    if (!options_.postgres()) {
        for (const char* end : {"", "-wal"})
            if (fs::exists(options_.sqlite_file.string() + end))
                throw NotEmpty(
                    "There is a database in " + options_.sqlite_file.parent_path().string() +
                    " already; name an empty folder, or move it away: nothing is written over"
                );
        aside_ = options_.sqlite_file.parent_path() / ".incoming";
        fs::remove_all(aside_);
        fs::create_directories(aside_);
        fs::permissions(aside_, fs::perms::owner_all);
    }
    auto there = options_;
    if (!aside_.empty()) there.sqlite_file = aside_ / "dunlin.db";
    try {
        migrate(*open_connection(there, Mode::write), now, migrations);
    } catch (const MigrationError& error) {
        if (!options_.postgres()) throw;
        throw NotEmpty(std::string(error.what()) + " Name an empty database instead.");
    }
    store_ = open_store(there, Mode::write);
    begin();
    tables_ = store_->tables();
    if (auto found = rows(); !found.empty())
        throw NotEmpty(
            "The database is not empty (" + found +
            "); name another one, or empty it: nothing is written over"
        );
    strip();
    empty();
}

Target::~Target() {
    store_.reset();
    std::error_code ignored;
    if (!aside_.empty()) fs::remove_all(aside_, ignored);
}

// Why the database cannot be a target; empty if it can.
std::string Target::rows() const {
    for (const auto& table : tables_)
        if (std::ranges::find(begun_by_migrations, table.name) == std::end(begun_by_migrations))
            if (!store_->ask("SELECT 1 FROM " + table.name + " LIMIT 1").empty())
                return "there are rows in its table " + table.name;
    return "";
}

// A PostgreSQL writer holds the writers' lock; two copies into one database run one after the other.
void Target::begin() {
    if (store_->is_postgres())
        store_->run(
            "BEGIN; SELECT pg_advisory_xact_lock(" + std::to_string(PostgresConnection::writing) + ")"
        );
    else
        store_->run(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN IMMEDIATE"
        );
}

// Inserting is much faster without indexes; triggers must not run, as their effects are part of the copied
// rows.
void Target::strip() {
    if (!store_->is_postgres()) {
        for (const auto& one : store_->ask("SELECT type, name, sql FROM sqlite_schema WHERE type IN "
                                           "('index', 'trigger') AND sql IS NOT NULL "
                                           "ORDER BY type, name")) {
            store_->run("DROP " + one.at(0) + " " + one.at(1));
            (one.at(0) == "index" ? indexes_ : triggers_).push_back(one.at(2));
        }
        return;
    }
    for (const auto& one :
         store_->ask("SELECT i.indexname, i.indexdef FROM pg_indexes i WHERE i.schemaname = current_schema() "
                     "AND NOT EXISTS "
                     "(SELECT 1 FROM pg_constraint c WHERE c.conname = i.indexname) ORDER BY i.indexname")) {
        store_->run("DROP INDEX " + one.at(0));
        indexes_.push_back(one.at(1));
    }
    for (const auto& one : store_->ask(
             "SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
             "JOIN pg_namespace n ON n.oid = c.relnamespace "
             "WHERE n.nspname = current_schema() AND NOT t.tgisinternal"
         )) {
        store_->run("ALTER TABLE " + one.at(0) + " DISABLE TRIGGER USER");
        triggers_.push_back("ALTER TABLE " + one.at(0) + " ENABLE TRIGGER USER");
    }
    store_->run("SET LOCAL maintenance_work_mem = '256MB'");
}

void Target::empty() {
    for (const auto table : begun_by_migrations)
        if (std::ranges::count(tables_, table, &Table::name) > 0)
            store_->run("DELETE FROM " + std::string(table));
}

void Target::build() {
    for (const auto& statement : indexes_) store_->run(statement);
    if (store_->is_postgres()) return store_->run("ANALYZE");
    // Sync now, so that nothing has to wait for the disk later, while writers are blocked.
    store_->run("COMMIT");
    keep_on_disk(aside_ / "dunlin.db");
    store_->run("BEGIN IMMEDIATE");
}

void Target::finish(base::Time now) {
    for (const auto& statement : triggers_) store_->run(statement);
    if (store_->is_postgres())
        for (const auto& one : store_->ask("SELECT table_name, column_name FROM information_schema.columns "
                                           "WHERE table_schema = current_schema() AND is_identity = 'YES'"))
            store_->ask(
                "SELECT setval(pg_get_serial_sequence('" + one.at(0) + "', '" + one.at(1) +
                "'), coalesce(max(" + one.at(1) + "), 0) + 1, false) FROM " + one.at(0)
            );
    store_->run(derive);
    store_->run("COMMIT");
    if (!store_->is_postgres()) store_->run("PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL");
    store_.reset();
    auto there = options_;
    if (!aside_.empty()) there.sqlite_file = aside_ / "dunlin.db";
    migrate(*open_connection(there, Mode::write), now);
    if (aside_.empty()) return;
    keep_on_disk(there.sqlite_file);
    fs::rename(there.sqlite_file, options_.sqlite_file);
    keep_on_disk(options_.sqlite_file.parent_path());
}

}  // namespace db::portable

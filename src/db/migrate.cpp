// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/migrate.hpp"

#include "base/embedded.hpp"
#include "base/text/join.hpp"
#include "db/postgres_connection.hpp"
#include "db/session.hpp"
#include "db/transaction.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace db {

namespace {

constexpr const char* create_table =
    "CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT NOT NULL PRIMARY KEY, applied_at BIGINT NOT "
    "NULL)";

const Query<std::string> applied_migrations{
    "applied_migrations", "SELECT name FROM schema_migrations ORDER BY name"
};

const Command record_migration{
    "record_migration", "INSERT INTO schema_migrations (name, applied_at) VALUES ($1, $2)"
};

const Query<std::string> dangling_references{
    "dangling_references",
    R"(SELECT DISTINCT "table" FROM pragma_foreign_key_check)",
    "SELECT ''::text WHERE false",
};

// "/*sqlite: X*/" -> " X "
void uncomment(std::string& text, const std::string& opening) {
    for (auto at = text.find(opening); at != text.npos; at = text.find(opening, at)) {
        const auto end = text.find("*/", at);
        if (end == text.npos) throw MigrationError("a comment " + opening + " has no end");
        text.replace(end, 2, " ");
        text.replace(at, opening.size(), " ");
    }
}

std::string adapted(std::string_view sql, bool postgres) {
    std::string text(sql);
    uncomment(text, postgres ? "/*postgres:" : "/*sqlite:");
    if (!postgres) {
        base::text::replace_all(text, "BIGINT PRIMARY KEY", "INTEGER PRIMARY KEY");
        base::text::replace_all(text, "BYTEA", "BLOB");
    }
    return text;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool numbered(std::string_view stem) {
    return stem.size() > 5 && std::ranges::all_of(stem.substr(0, 4), is_digit) && stem[4] == '_' &&
           stem.find('.') == stem.npos;
}

bool cut_suffix(std::string_view& name, std::string_view suffix) {
    if (!name.ends_with(suffix)) return false;
    name.remove_suffix(suffix.size());
    return true;
}

// Migrations run in one process at a time. In SQLite, the write lock of a transaction is enough; PostgreSQL
// needs an advisory lock around all of them. Behind a pooler, where a session lasts only for one transaction,
// the lock taken by each migration's transaction has to suffice.
class Turn {
public:
    explicit Turn(Connection& connection)
        : connection_(connection), postgres_(dynamic_cast<PostgresConnection*>(&connection)) {
        if (postgres_) {
            postgres_->take_all_time(true);
            if (!postgres_->pooled()) postgres_->script("SELECT pg_advisory_lock(4919131752989213765)");
        } else
            connection_.script("PRAGMA foreign_keys = OFF"
            );  // a migration may rebuild a table; checked before the commit
    }
    ~Turn() {
        try {
            if (postgres_) {
                if (!postgres_->pooled()) postgres_->script("SELECT pg_advisory_unlock(4919131752989213765)");
                postgres_->take_all_time(false);
            } else {
                connection_.script("PRAGMA foreign_keys = ON");
            }
        } catch (const std::exception&) {
            // The connection is gone, and with it the lock and its settings.
        }
    }
    Turn(const Turn&) = delete;

private:
    Connection& connection_;
    PostgresConnection* postgres_;
};

std::vector<std::string> texts(Connection& connection, const Query<std::string>& sql) {
    std::vector<std::string> found;
    const auto rows = connection.query(sql, {});
    while (rows->next()) found.emplace_back(rows->text(0));
    return found;
}

std::vector<const Migration*> missing(Connection& connection, const std::vector<Migration>& known) {
    const auto names = texts(connection, applied_migrations);
    std::set<std::string> applied(names.begin(), names.end());
    std::vector<const Migration*> pending;
    for (const auto& migration : known)
        if (!applied.erase(migration.name)) pending.push_back(&migration);
    if (applied.empty()) return pending;
    throw MigrationError(
        "The database was upgraded by a newer program: it has " + *applied.rbegin() +
        ", which this one does not know. Start the newer program, or restore the backup made before the "
        "upgrade."
    );
}

// Returns false when another process applied it first.
bool apply(Connection& connection, const Migration& migration, base::Time now) {
    return in_transaction(connection, Mode::write, [&] {
        const auto names = texts(connection, applied_migrations);
        if (std::ranges::find(names, migration.name) != names.end()) return false;
        try {
            connection.script(migration.sql);
        } catch (const std::exception& e) {
            throw MigrationError("Migration " + migration.name + " failed: " + e.what());
        }
        if (const auto tables = texts(connection, dangling_references); !tables.empty())
            throw MigrationError("Migration " + migration.name + " left dangling references in " + tables[0]);
        connection.execute(record_migration, std::array{bind(migration.name), bind(now)});
        return true;
    });
}

}  // namespace

std::vector<Migration> migrations_from(std::span<const MigrationFile> files, bool postgres) {
    struct Parts {
        std::string common, special;
    };
    std::map<std::string, Parts, std::less<>> stems;
    for (const auto& file : files) {
        std::string_view stem = file.name;
        const bool for_sqlite = cut_suffix(stem, ".sqlite.sql");
        const bool for_postgres = !for_sqlite && cut_suffix(stem, ".postgres.sql");
        if ((!for_sqlite && !for_postgres && !cut_suffix(stem, ".sql")) || !numbered(stem))
            throw MigrationError("A migration is called NNNN_name.sql, not " + std::string(file.name));
        auto& parts = stems[std::string(stem)];
        if (!for_sqlite && !for_postgres) parts.common = adapted(file.sql, postgres);
        if (postgres ? for_postgres : for_sqlite) parts.special = adapted(file.sql, postgres);
    }
    std::vector<Migration> ordered;
    for (auto& [stem, parts] : stems) {
        if (!ordered.empty() && ordered.back().name.substr(0, 4) == stem.substr(0, 4))
            throw MigrationError("Two migrations have one number: " + ordered.back().name + " and " + stem);
        ordered.push_back({stem, parts.common + "\n" + parts.special});
    }
    return ordered;
}

std::vector<Migration> embedded_migrations(bool postgres) {
    constexpr std::string_view folder = "db/migrations/";
    std::vector<MigrationFile> files;
    for (const auto& file : base::embedded_files())
        if (file.path.starts_with(folder)) files.push_back({file.path.substr(folder.size()), file.bytes});
    return migrations_from(files, postgres);
}

std::vector<std::string> migrate(
    Connection& connection, base::Time now, const std::vector<Migration>& known,
    const MigrationProgress& progress
) {
    const Turn turn(connection);
    in_transaction(connection, Mode::write, [&] { connection.script(create_table); });
    std::vector<std::string> done;
    const auto pending = missing(connection, known);
    for (std::size_t i = 0; i < pending.size(); ++i) {
        if (progress) progress(pending[i]->name, i + 1, pending.size());
        if (apply(connection, *pending[i], now)) done.push_back(pending[i]->name);
    }
    return done;
}

std::vector<std::string> migrate(Connection& connection, base::Time now, const MigrationProgress& progress) {
    return migrate(connection, now, embedded_migrations(connection.is_postgres()), progress);
}

std::vector<std::string> pending_migrations(Connection& connection, const std::vector<Migration>& known) {
    connection.script(create_table);
    std::vector<std::string> names;
    for (const auto* migration : missing(connection, known)) names.push_back(migration->name);
    return names;
}

}  // namespace db

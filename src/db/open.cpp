// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/open.hpp"

#include "db/postgres/broadcast.hpp"
#include "db/postgres_engine.hpp"
#include "db/sqlite_engine.hpp"

namespace db {

std::unique_ptr<RunningEngine> open_engine(Options options, std::shared_ptr<WriteGate> gate) {
    if (options.postgres()) return std::make_unique<PostgresEngine>(std::move(options), std::move(gate));
    return std::make_unique<SqliteEngine>(std::move(options), std::move(gate));
}

std::unique_ptr<RunningEngine> open_engine(Options options) {
    return open_engine(std::move(options), nullptr);
}

std::unique_ptr<Connection> open_connection(const Options& options, Mode mode) {
    if (options.postgres()) return std::make_unique<PostgresConnection>(options.postgres_url);
    const auto file = options.sqlite_file.empty() ? ":memory:" : options.sqlite_file.string();
    auto connection = std::make_unique<SqliteConnection>(file, mode);
    if (options.keep_log) connection->keep_log();
    return connection;
}

std::unique_ptr<base::Broadcast> open_broadcast(const Options& options) {
    if (!options.postgres()) return nullptr;
    return std::make_unique<PostgresBroadcast>(options.postgres_url);
}

}  // namespace db

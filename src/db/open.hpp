// SPDX-License-Identifier: AGPL-3.0-or-later
// The door to the database: which engine it is, the caller does not know.
#pragma once
#include "base/broadcast.hpp"
#include "db/engine.hpp"
#include "db/options.hpp"
#include "db/transaction.hpp"

namespace db {

// Not started yet.
std::unique_ptr<RunningEngine> open_engine(Options);

// A connection of one's own, as the command line uses it with read_now and write_now. Works beside a running
// server. Without a file it has a database in memory to itself.
std::unique_ptr<Connection> open_connection(const Options&, Mode);

// What the nodes of a site say to each other by way of their database; nothing where one node has it to itself.
std::unique_ptr<base::Broadcast> open_broadcast(const Options&);

}  // namespace db

// SPDX-License-Identifier: AGPL-3.0-or-later
// Opens the database; the caller need not know which engine it is.
#pragma once
#include "base/broadcast.hpp"
#include "db/engine.hpp"
#include "db/options.hpp"
#include "db/transaction.hpp"

namespace db {

// Returned not yet started.
std::unique_ptr<RunningEngine> open_engine(Options);

// A separate connection, as the command line uses it with read_now and write_now. Works beside a running
// server. Without a file: a private database in memory.
std::unique_ptr<Connection> open_connection(const Options&, Mode);

// The channel by which nodes of a site talk to each other through their database; nullptr where a single node
// uses the database.
std::unique_ptr<base::Broadcast> open_broadcast(const Options&);

}  // namespace db

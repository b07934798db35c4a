// SPDX-License-Identifier: AGPL-3.0-or-later
// How far a PostgreSQL server has come (db/position.hpp).
#pragma once
#include "db/position.hpp"
#include "db/sql.hpp"

namespace db {

extern const Query<std::int64_t> position_now;  // of the primary, for end_of_last_change(); 0 on a replica
extern const Query<std::int64_t> replayed_now;  // of the replica; -1 on a server that is not one

}  // namespace db

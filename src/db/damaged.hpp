// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include "db/connection.hpp"

namespace db {

// The file is no SQLite database, or not a sound one.
struct Damaged : Failure {
    using Failure::Failure;
};

}  // namespace db

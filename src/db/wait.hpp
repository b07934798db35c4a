// SPDX-License-Identifier: AGPL-3.0-or-later
// For threads that have nothing else to do.
#pragma once
#include "db/engine.hpp"

namespace db {

// Makes the change and waits for its end; throws what it threw, and Unavailable when the queue is full.
void write_and_wait(Engine&, const char* name, const std::function<void(Write&)>&);

// A look at the primary; throws the same.
void read_and_wait(Engine&, const std::function<void(Read&)>&);

}  // namespace db

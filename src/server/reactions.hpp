// SPDX-License-Identifier: AGPL-3.0-or-later
// Who reacts to which event, and what happens by the clock: two tables. The reactions to one event run in the
// order of their lines.
#pragma once
#include "jobs/reactions.hpp"
#include "jobs/runner.hpp"

#include <vector>

namespace server {

std::vector<jobs::Reaction> reactions();
std::vector<jobs::Periodic> periodic();

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
// The poll in a Question. Only for this folder.
#pragma once
#include "ap/object.hpp"

namespace ap {

// Nothing when there is no option that can be chosen.
std::optional<Poll> read_poll(Node, Time now);

}  // namespace ap

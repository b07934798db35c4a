// SPDX-License-Identifier: AGPL-3.0-or-later
// An answer that came before what it answers began a conversation of its own. When both are known, it moves into the other
// one, with all that hangs below it.
#pragma once
#include "jobs/reactions.hpp"
#include "social/statuses/core/status.hpp"

namespace statuses {

// The answer and the first of what hangs below move at once, the rest later.
void move_thread(db::Write&, StatusId answer, ConversationId);

struct ThreadMovingLeft {
    StatusId answer;
};
DESCRIBE(ThreadMovingLeft, answer)
jobs::Change continue_moving_thread(db::Read&, const ThreadMovingLeft&);  // reaction

}  // namespace statuses

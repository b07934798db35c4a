// SPDX-License-Identifier: AGPL-3.0-or-later
// Somebody goes on elsewhere: who followed, blocked, muted or noted the old account does so with the new one.
#pragma once
#include "social/relationships/relationship.hpp"

namespace relationships {

struct Moved {
    AccountId account, target;
};
DESCRIBE(Moved, account, target)
// Who follows the account has come along to the target, or asked to, and is about to leave the account.
struct FollowTakenAlong {
    AccountId follower, account, target;
};
DESCRIBE(FollowTakenAlong, follower, account, target)
// Followers whose follow has a greater id than `after` are still to be taken along.
struct MoveContinued {
    AccountId account, target;
    std::int64_t after = 0;
};
DESCRIBE(MoveContinued, account, target, after)

// The same of those who blocked, muted and noted the old account; `after` counts blocks, mutes and accounts.
struct MovingBlocksContinued {
    AccountId account, target;
    std::int64_t after = 0;
};
DESCRIBE(MovingBlocksContinued, account, target, after)
struct MovingMutesContinued {
    AccountId account, target;
    std::int64_t after = 0;
};
DESCRIBE(MovingMutesContinued, account, target, after)
struct MovingNotesContinued {
    AccountId account, target;
    std::int64_t after = 0;
};
DESCRIBE(MovingNotesContinued, account, target, after)

// That the target wants it was checked by the caller.
void move(db::Write&, AccountId account, AccountId target);

// Reactions, chunk after chunk
void begin_moving(db::Write&, const Moved&);
void continue_moving(db::Write&, const MoveContinued&);
void continue_moving_blocks(db::Write&, const MovingBlocksContinued&);
void continue_moving_mutes(db::Write&, const MovingMutesContinued&);
void continue_moving_notes(db::Write&, const MovingNotesContinued&);

}  // namespace relationships

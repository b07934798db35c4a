// SPDX-License-Identifier: AGPL-3.0-or-later
// An account moves: everybody who followed, blocked or muted the old account, or has a note about it, does
// the same with the new one.
#pragma once
#include "social/relationships/relationship.hpp"

namespace relationships {

struct Moved {
    AccountId account, target;
};
DESCRIBE(Moved, account, target)
// A follower of the account now follows the target, or has asked to, and is about to unfollow the account.
struct FollowTakenAlong {
    AccountId follower, account, target;
};
DESCRIBE(FollowTakenAlong, follower, account, target)
// Followers whose follow has a greater id than `after` are still to be moved.
struct MoveContinued {
    AccountId account, target;
    std::int64_t after = 0;
};
DESCRIBE(MoveContinued, account, target, after)

// The same for blocks, mutes and notes about the old account; `after` is the id of a block, mute or account.
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

// The caller has checked that the target agrees.
void move(db::Write&, AccountId account, AccountId target);

// Reactions, in chunks
void begin_moving(db::Write&, const Moved&);
void continue_moving(db::Write&, const MoveContinued&);
void continue_moving_blocks(db::Write&, const MovingBlocksContinued&);
void continue_moving_mutes(db::Write&, const MovingMutesContinued&);
void continue_moving_notes(db::Write&, const MovingNotesContinued&);

}  // namespace relationships

// SPDX-License-Identifier: AGPL-3.0-or-later
// Home: the user's own statuses, those of followed accounts and public ones with followed hashtags, without
// the members of exclusive lists; complete back to the first, and correct at once after a follow, an
// unfollow, a block or a deletion (docs/decisions/0007). Entries are written when a status is published; what
// to show of them is decided when they are read.
#pragma once
#include "social/relationships/list_severing.hpp"
#include "social/relationships/relationship.hpp"
#include "social/statuses/remote/backfilled.hpp"
#include "social/timelines/feed.hpp"

namespace timelines {

std::vector<VisibilityFacts> home(db::Read&, const Audience&, const base::Range&);
// Whether home shows a status whose entry is there or will be: it need not be written yet. Usually needs no
// query per viewer.
bool shows(db::Read&, const Audience&, OneForMany& entry);

// More followers await their entry: those whose follow has a greater id than `after`.
struct FanOutContinued {
    StatusId status;
    std::int64_t after = 0;
};
DESCRIBE(FanOutContinued, status, after)
struct BackfillContinued {
    base::FollowId follow;
};
DESCRIBE(BackfillContinued, follow)
// All follows after this one may have to be backfilled: they came with a takeover.
struct BackfillsLeft {
    base::FollowId after;
};
DESCRIBE(BackfillsLeft, after)
struct CleanUpContinued {
    base::AccountId account, target;
    std::int64_t after = 0;
};
DESCRIBE(CleanUpContinued, account, target, after)
// The same for several accounts, the last one starting at `after`.
struct CleanUpsContinued {
    std::vector<relationships::EndedFollows> people;
    std::int64_t after = 0;
};
DESCRIBE(CleanUpsContinued, people, after)
struct RemovalContinued {
    StatusId status;
    base::AccountId author;
    std::int64_t after = 0;
};
DESCRIBE(RemovalContinued, status, author, after)

// Reactions
void fan_out(db::Write&, const statuses::Published&);       // in the transaction, if there are few followers
void continue_fan_out(db::Write&, const FanOutContinued&);  // deferred, in chunks
void begin_backfill(db::Write&, const relationships::Followed&);
void continue_backfill(db::Write&, const BackfillContinued&);
void continue_backfills(db::Write&, const BackfillsLeft&);
void begin_clean_up(db::Write&, const relationships::Unfollowed&);
void continue_clean_up(db::Write&, const CleanUpContinued&);
void clean_up_severed(db::Write&, const relationships::FollowsSevered&);
void continue_clean_ups(db::Write&, const CleanUpsContinued&);
void begin_removal(db::Write&, const statuses::Deleted&);
void continue_removal(db::Write&, const RemovalContinued&);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_home_entries;

// For streams, which do not wait for entries: which of these local accounts have a published status in their
// home, or will have, some at a time. Whether home shows it is decided when it is read.
class ReachedHomes {
public:
    ReachedHomes(db::Read&, const VisibilityFacts&, std::vector<base::AccountId> among);
    // Only those that have an entry of it.
    static ReachedHomes by_entries(
        db::Read&, const VisibilityFacts&, const std::vector<base::AccountId>& among
    );
    std::vector<base::AccountId> next(std::size_t most);  // empty: there are no more

private:
    ReachedHomes(db::Read& db, base::AccountId author) : db_(db), author_(author) {}

    db::Read& db_;
    const base::AccountId author_;
    std::vector<base::AccountId> among_;  // the next ones are at the end
    bool own_ = false;                    // its author comes first
    bool sure_ = false;                   // it reaches all of them
};
// Those of these accounts that follow an author.
std::vector<base::AccountId> followers(
    db::Read&, base::AccountId author, const std::vector<base::AccountId>& among
);

// Reaction: an older status gets its entry in the homes of its author's followers.
void fan_out_backfilled(db::Write&, const statuses::Backfilled&);

}  // namespace timelines

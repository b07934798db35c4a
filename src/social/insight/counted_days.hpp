// SPDX-License-Identifier: AGPL-3.0-or-later
// Counts per day, so that queries need not scan a month of posts or favourites. The change that stores an act
// or a post also counts it. Later deletions do not reduce the counts: it happened on that day.
#pragma once
#include "social/relationships/relationship.hpp"
#include "social/statuses/core/status.hpp"
#include "social/statuses/polls/poll.hpp"
#include "social/statuses/remote/backfilled.hpp"
#include "social/statuses/remote/imported.hpp"

namespace insight {

// Days since 1970. Acts of remote accounts are not counted.
struct OfDay {
    std::int64_t day = 0, value = 0;
};
DESCRIBE(OfDay, day, value)
std::vector<OfDay> acts_by_day(db::Read&, std::int64_t first, std::int64_t beyond);

struct OfServer {
    std::string key;  // its domain; empty: this server
    std::int64_t value = 0;
};
DESCRIBE(OfServer, key, value)
// Those with the most posts first.
std::vector<OfServer> servers_of_days(db::Read&, std::int64_t first, std::int64_t beyond, int limit);

// Reactions.
void count_favourite(db::Write&, const statuses::Favourited&);
void count_vote(db::Write&, const statuses::Voted&);
void count_follow(db::Write&, const relationships::Followed&);
void count_follow_request(db::Write&, const relationships::FollowRequested&);
void count_accepted(db::Write&, const relationships::FollowRequestAnswered&);
void count_published(db::Write&, const statuses::Published&);
void count_backfilled(db::Write&, const statuses::Backfilled&);
void count_brought_along(db::Write&, const statuses::BroughtAlong&);

// Event: rows older than these counts are still to be counted, some hundred at a time, newest first. Started
// by a migration.
struct PastDaysContinued {};
DESCRIBE(PastDaysContinued)
void count_past_days(db::Write&, const PastDaysContinued&);  // reaction
// All rows, on a site that has counted nothing yet.
void begin_counting_past_days(db::Write&);

}  // namespace insight

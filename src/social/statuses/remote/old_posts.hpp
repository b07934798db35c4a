// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts of other servers that nobody here had anything to do with go after so many days, if the operator wants that (option
// remote_posts_days, docs/decisions/0077-what-nobody-touched.md).
#pragma once
#include "jobs/reactions.hpp"
#include "social/statuses/core/status.hpp"

namespace statuses {

void keep_remote_posts_for(db::Write&, std::int64_t days);  // 0: for ever
std::int64_t days_of_remote_posts(db::Read&);

constexpr std::int64_t remove_old_posts_every_seconds = 2;
// Periodic. Goes through the posts by id, some hundred at a time, and begins anew a month after it began. Threads go as a whole or
// not at all; nobody is told.
jobs::Change remove_old_posts(db::Read&);

// So that what rests is looked at now, from the first on.
void begin_with_old_posts(db::Write&);

// For whoever asks beforehand: among the next posts, some hundred, how many would go if they were kept for so many days.
struct OldPosts {
    StatusId last;  // of those looked at; none: there are no more
    std::int64_t go = 0;
};
OldPosts count_old_posts(db::Read&, StatusId after, std::int64_t days);

// More posts than this in a thread, with boosts, and all of it stays.
constexpr int longest_thread_to_remove = 200;

}  // namespace statuses

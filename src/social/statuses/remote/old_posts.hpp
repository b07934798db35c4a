// SPDX-License-Identifier: AGPL-3.0-or-later
// Remote posts that no local account interacted with are deleted after some days, if the operator enables it
// (option remote_posts_days, docs/decisions/0077-what-nobody-touched.md).
#pragma once
#include "jobs/reactions.hpp"
#include "social/statuses/core/status.hpp"

namespace statuses {

void keep_remote_posts_for(db::Write&, std::int64_t days);  // 0: forever
std::int64_t days_of_remote_posts(db::Read&);

constexpr std::int64_t remove_old_posts_every_seconds = 2;
// Periodic. Goes through the posts by id, several hundred at a time, and starts again a month after the last
// start. A thread is deleted as a whole or not at all; no events reach clients or servers.
jobs::Change remove_old_posts(db::Read&);

// Restarts remove_old_posts() now, from the first post.
void begin_with_old_posts(db::Write&);

// For an estimate in advance: how many of the next several hundred posts would be deleted if posts were kept
// for `days`.
struct OldPosts {
    StatusId last;  // the last post that was examined; none: there are no more
    std::int64_t go = 0;
};
OldPosts count_old_posts(db::Read&, StatusId after, std::int64_t days);

// A thread with more posts than this, boosts included, is kept.
constexpr int longest_thread_to_remove = 200;

}  // namespace statuses

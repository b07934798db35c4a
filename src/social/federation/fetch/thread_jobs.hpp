// SPDX-License-Identifier: AGPL-3.0-or-later
// Fetching the replies to a remote post, their replies and so on, while somebody looks at the thread.
#pragma once
#include "jobs/reactions.hpp"
#include "social/statuses/remote/remote.hpp"

namespace federation {

// The key of the refresh that clients wait for.
std::string refresh_key(base::StatusId);
// Starts reading if it is due: for public remote statuses, some minutes old, whose replies were not read
// lately.
void want_replies(db::Write&, base::StatusId);

// A collection, and how far it is read.
struct PagesContinued {
    std::string collection, next;
    std::size_t items = 0;
};
DESCRIBE(PagesContinued, collection, next, items)

// The rest of a thread, nearest first. `met`: short hashes of the pages and posts that were already seen.
struct ThreadContinued {
    base::StatusId status;
    std::vector<std::string> posts;
    std::vector<PagesContinued> collections;
    std::vector<std::int64_t> met;
    int pages = 0, asked = 0, failed = 0;
};
DESCRIBE(ThreadContinued, status, posts, collections, met, pages, asked, failed)
// Reaction: reads a few pages or posts, then emits the event again.
jobs::Change read_thread(const base::Ask&, db::Read&, const ThreadContinued&);

}  // namespace federation

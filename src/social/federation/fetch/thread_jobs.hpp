// SPDX-License-Identifier: AGPL-3.0-or-later
// A thread of other servers, read while somebody looks at it: what answers a post, what answers that, and so on.
#pragma once
#include "jobs/reactions.hpp"
#include "social/statuses/remote/remote.hpp"

namespace federation {

// The key of what clients wait for.
std::string refresh_key(base::StatusId);
// Begins to read, if it is time to: a status of another server, public, of some minutes ago, not looked at lately.
void want_replies(db::Write&, base::StatusId);

// A collection as far as it is read.
struct PagesContinued {
    std::string collection, next;
    std::size_t items = 0;
};
DESCRIBE(PagesContinued, collection, next, items)

// What is left to be read of a thread, nearest first. `met`: marks of the pages and posts that were met.
struct ThreadContinued {
    base::StatusId status;
    std::vector<std::string> posts;
    std::vector<PagesContinued> collections;
    std::vector<std::int64_t> met;
    int pages = 0, asked = 0, failed = 0;
};
DESCRIBE(ThreadContinued, status, posts, collections, met, pages, asked, failed)
// Reaction: a few pages or posts, then the event again.
jobs::Change read_thread(const base::Ask&, db::Read&, const ThreadContinued&);

}  // namespace federation

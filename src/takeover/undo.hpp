// SPDX-License-Identifier: AGPL-3.0-or-later
// Going back to the server of before, whose database was never written: what came since is told, so that it can be kept.
#pragma once
#include "takeover/copy.hpp"

namespace takeover {

struct PostedSince {
    base::AccountId id;
    std::string username;
    std::int64_t posts = 0;  // also older ones that an archive brought along
};
DESCRIBE(PostedSince, id, username, posts)

struct Since {
    Time finished_at;
    std::vector<PostedSince> people;         // by name
    std::int64_t accounts = 0, follows = 0;  // people and follows that the other server does not have

    // Ids up to this one are older.
    base::StatusId last_before() const { return {finished_at.ms << 16}; }
};
DESCRIBE(Since, finished_at, people, accounts, follows)

// Throws Unsuitable: no place was taken.
Since since_finish(db::Read&);

// This server does not start any more, until another copy is made and finished.
void undo(const Target&);

}  // namespace takeover

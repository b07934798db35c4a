// SPDX-License-Identifier: AGPL-3.0-or-later
// What is built while the server serves, out of what was there before: search indexes after an upgrade or a move, counts anew. Each
// goes on by rows of jobs, chunk after chunk, so that a kill loses none of it (docs/decisions/0069-built-beside-the-server.md).
#pragma once
#include "db/session.hpp"

namespace server {

struct Build {
    std::string name, what;
    double done = 0;            // a share of the time that the rows are from, so about that of the rows
    std::int64_t attempts = 0;  // that failed, of the next chunk
    std::optional<std::string> error;
    bool given_up = false;
};
DESCRIBE(Build, name, what, done, attempts, error, given_up)

std::vector<Build> builds(db::Read&);
std::string shown(const Build&);  // "the search index of posts: about 40 % done"

}  // namespace server

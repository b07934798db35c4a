// SPDX-License-Identifier: AGPL-3.0-or-later
// What is rebuilt from existing data while the server runs: search indexes after an upgrade or a move,
// recounts. Each is done in chunks by job rows, so that nothing is lost if the process is killed
// (docs/decisions/0069-built-beside-the-server.md).
#pragma once
#include "db/session.hpp"

namespace server {

struct Build {
    std::string name, what;
    double done = 0;            // fraction of the covered time span, so roughly of the rows
    std::int64_t attempts = 0;  // failed attempts at the next chunk
    std::optional<std::string> error;
    bool given_up = false;
};
DESCRIBE(Build, name, what, done, attempts, error, given_up)

std::vector<Build> builds(db::Read&);
std::string shown(const Build&);  // "the search index of posts: about 40 % done"

}  // namespace server

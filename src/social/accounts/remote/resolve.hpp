// SPDX-License-Identifier: AGPL-3.0-or-later
// The question for an account or a status on another server. The code that answers it fetches the object,
// verifies it, and stores it; the answer contains the ids of the rows.
#pragma once
#include "base/describe.hpp"
#include "base/ids.hpp"

#include <boost/describe/enum.hpp>

#include <string>

namespace accounts {

BOOST_DEFINE_ENUM_CLASS(
    Resolution, found,
    missing,  // its server does not know it, or refuses access
    gone,     // its server reports it as deleted
    failed    // its server could not be reached now
)

struct Resolved {
    Resolution resolution = Resolution::failed;
    base::AccountId account;  // one of the two, if found
    base::StatusId status;
    std::int64_t busy_for = 0;  // seconds until its server may be asked again, if not now
};

// A handle ("bob@far.example"), an ActivityPub id, or the address of a page that names one.
struct Resolve {
    std::string what;
    base::AccountId reader;  // a local account that may see it; 0: everybody may
    bool again = false;      // fetch it even if it is known already
    int depth = 0;           // its distance from what was requested
    bool bulk = false;       // one of very many, for a job
    // only a post by this actor is wanted: posts of others are neither fetched nor stored
    std::string author = {};
    using Answer = Resolved;
};
DESCRIBE(Resolve, what, reader, again, depth, bulk, author)

// Replied-to and quoted statuses beyond this depth are not fetched.
constexpr int deepest = 100;

}  // namespace accounts

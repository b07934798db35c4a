// SPDX-License-Identifier: AGPL-3.0-or-later
// The question for somebody or something on another server. Whoever answers it asks that server, checks what it says,
// and stores it; the answer names the rows.
#pragma once
#include "base/describe.hpp"
#include "base/ids.hpp"

#include <boost/describe/enum.hpp>

#include <string>

namespace accounts {

BOOST_DEFINE_ENUM_CLASS(
    Resolution, found,
    missing,  // its server does not know it, or refuses to tell
    gone,     // its server says that it is no more
    failed    // its server could not be asked now
)

struct Resolved {
    Resolution resolution = Resolution::failed;
    base::AccountId account;  // one of the two, when it was found
    base::StatusId status;
    std::int64_t busy_for = 0;  // seconds until its server may be asked; when it was not now
};

// A handle ("bob@far.example"), an ActivityPub id, or the address of a page that names one.
struct Resolve {
    std::string what;
    base::AccountId reader;   // somebody here who may see it; 0: everybody may
    bool again = false;       // ask even where it is known already
    int depth = 0;            // how far away it is from what somebody wanted
    bool bulk = false;        // one of very many, for a job
    std::string author = {};  // a post by this actor is looked for: of any other nothing is asked nor kept
    using Answer = Resolved;
};
DESCRIBE(Resolve, what, reader, again, depth, bulk, author)

// Beyond this what is answered and quoted is not fetched any more.
constexpr int deepest = 100;

}  // namespace accounts

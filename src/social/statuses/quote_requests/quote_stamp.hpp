// SPDX-License-Identifier: AGPL-3.0-or-later
// Stamps of other servers that take the place of those that were believed.
#pragma once
#include "social/statuses/remote/remote.hpp"

namespace statuses {

// Event: a quote that was accepted names another stamp, which is to be looked at before the old one is doubted.
struct StampReplaced {
    StatusId quoting;
    std::string stamp;
};
DESCRIBE(StampReplaced, quoting, stamp)

// It says the same: from now on it is the one that counts. Else the old one is doubted.
void replace_stamp(db::Write&, const StampReplaced&, bool good);

}  // namespace statuses

// SPDX-License-Identifier: AGPL-3.0-or-later
// What moderators refuse another server. A block of a domain holds for all domains below it.
#pragma once
#include "social/instance/domain_block.hpp"

namespace instance {

struct DomainLimit {
    bool silenced = false, suspended = false;  // a suspended one is neither heard nor asked
    bool reject_media = false, reject_reports = false;
};

// `domain` as accounts store it: lower case, ASCII, perhaps with a port.
DomainLimit limit_on(db::Read&, std::string_view domain);

}  // namespace instance

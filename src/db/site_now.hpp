// SPDX-License-Identifier: AGPL-3.0-or-later
// The facts of the site, where they change while it is served. A session that an engine begins has those of then, to its
// end, so that a request is decided by one of them. Those of before are kept: whoever has looked at them may go on.
#pragma once
#include "base/site.hpp"

#include <memory>

namespace db {

// From now on those of every new session of this process; nullptr: those that each was opened with.
void use_site(std::unique_ptr<const base::Site>);

// `opened_with`: as long as none are used.
const base::Site& site_now(const base::Site& opened_with);

}  // namespace db

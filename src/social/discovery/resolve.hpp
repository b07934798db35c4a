// SPDX-License-Identifier: AGPL-3.0-or-later
// What an address on this site stands for: profiles and statuses by their pages and by their ActivityPub ids.
#pragma once
#include "db/session.hpp"

namespace discovery {

struct Resolved {
    base::AccountId account;
    base::StatusId status;
};

// Empty for what is not ours or does not exist; asks nobody's leave.
Resolved resolve_local(db::Read&, std::string_view url);

}  // namespace discovery

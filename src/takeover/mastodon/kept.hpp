// SPDX-License-Identifier: AGPL-3.0-or-later
// Which accounts and posts of a Mastodon come along: what is of this site, and what somebody here has to do with. Its ids are
// numbers like ours, and stay what they are.
#pragma once
#include "db/foreign/foreign.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace takeover::mastodon {

struct Kept {
    std::vector<std::int64_t> accounts, statuses;  // ascending

    bool has_account(std::int64_t id) const { return std::ranges::binary_search(accounts, id); }
    bool has_status(std::int64_t id) const { return std::ranges::binary_search(statuses, id); }
};

Kept find_kept(db::Foreign&, bool everything);

}  // namespace takeover::mastodon

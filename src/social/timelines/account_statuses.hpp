// SPDX-License-Identifier: AGPL-3.0-or-later
// What an account wrote, as this viewer may see it (behaviours 11.1, "Account statuses").
#pragma once
#include "social/timelines/feed.hpp"

namespace timelines {

struct AccountFilter {
    bool only_media = false, exclude_replies = false, exclude_reblogs = false, exclude_direct = false;
    std::string tagged;  // one hashtag; empty: any
};

std::vector<Facts>
account_statuses(db::Read&, const Audience&, base::AccountId of, const base::Range&, const AccountFilter&);

// What it pinned, the latest pin first; so few that there is one page, of which a range takes its part.
std::vector<Facts> pinned_statuses(db::Read&, const Audience&, base::AccountId of, const base::Range&);

}  // namespace timelines

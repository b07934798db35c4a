// SPDX-License-Identifier: AGPL-3.0-or-later
// A local post that waits for review by the team: until then it is stored as a direct post without mentions,
// so that no other rule has to handle it.
#pragma once
#include "social/statuses/core/held.hpp"

namespace statuses {

// What is left out of the post meanwhile.
struct HeldDraft {
    Visibility visibility = Visibility::public_;
    QuotePolicy quote_policy = QuotePolicy::public_;
    std::int64_t relations = 0;
    std::vector<AccountId> mentions;
    std::vector<std::string> tags, tags_as_written;
    StatusId in_reply_to, quoted_status;
    bool links_nothing = false, quiet = false;
};
DESCRIBE(
    HeldDraft, visibility, quote_policy, relations, mentions, tags, tags_as_written, in_reply_to,
    quoted_status, links_nothing, quiet
)

// Its poll ends as long after the release as it was to last.
void pause_poll(db::Write&, StatusId);

// Now it is published as it was written, unless it is gone.
void publish_held(db::Write&, const Held&);

}  // namespace statuses

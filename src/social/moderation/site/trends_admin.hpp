// SPDX-License-Identifier: AGPL-3.0-or-later
// Staff's decisions about trends. Every decision is logged. All need manage_taxonomies, and throw Forbidden
// and NotFound.
#pragma once
#include "social/discovery/publisher.hpp"
#include "social/moderation/audit.hpp"

namespace moderation {

// The part of what trends that is asked for, the highest first, whether it is shown or not.
std::vector<std::int64_t> ranked(db::Read&, discovery::Kind, std::int64_t offset, int limit);

void decide_tag(db::Write&, const accounts::Actor&, base::TagId, bool allowed);
void decide_link(db::Write&, const accounts::Actor&, statuses::CardId, bool allowed);
void decide_publisher(db::Write&, const accounts::Actor&, discovery::PublisherId, bool allowed);
void decide_status(db::Write&, const accounts::Actor&, base::StatusId, bool allowed);

// Throw NotFound. Of posts only those that can trend: what is written for some is shown to nobody here.
statuses::Card trending_card(db::Read&, statuses::CardId);
base::StatusId trending_status(db::Read&, base::StatusId);

}  // namespace moderation

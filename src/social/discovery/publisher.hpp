// SPDX-License-Identifier: AGPL-3.0-or-later
// Publishers: the hosts of trending links. The team's decision on one applies to its links without a decision
// of their own.
#pragma once
#include "base/page.hpp"
#include "social/discovery/trends.hpp"

namespace discovery {

using PublisherId = base::Id<struct PublisherTag>;

struct Publisher {
    PublisherId id;
    std::string domain;
};
DESCRIBE(Publisher, id, domain)

std::vector<Publisher> publishers(db::Read&, const base::Range&);  // newest first
Publisher publisher(db::Read&, PublisherId);                       // throws NotFound
// The host of an address, in the form that identifies publishers; empty if there is none.
std::string host_of_link(std::string_view url);
// The known publishers of these hosts and their parent domains: a.b.c, b.c.
std::vector<Publisher> publishers_of(db::Read&, const std::vector<std::string>& hosts);
void note_publishers(db::Write&, const std::vector<std::string>& hosts);

// The publisher's decision by card, for cards without a decision of their own.
std::unordered_map<std::int64_t, bool> decided_by_publisher(db::Read&, const std::vector<statuses::Card>&);

}  // namespace discovery

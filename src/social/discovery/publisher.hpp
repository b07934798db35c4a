// SPDX-License-Identifier: AGPL-3.0-or-later
// Publishers: the hosts of links that trend. What staff decides about one holds for its links that nobody decided about.
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
// The host of an address, as publishers are known by it; empty where there is none.
std::string host_of_link(std::string_view url);
// Those hosts, and the ones above them, that are known: a.b.c, b.c.
std::vector<Publisher> publishers_of(db::Read&, const std::vector<std::string>& hosts);
void note_publishers(db::Write&, const std::vector<std::string>& hosts);

// What of the publisher decides, by the card: for cards that nobody decided about.
std::unordered_map<std::int64_t, bool> decided_by_publisher(db::Read&, const std::vector<statuses::Card>&);

}  // namespace discovery

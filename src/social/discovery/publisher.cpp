// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/publisher.hpp"

#include "base/text/utf8.hpp"
#include "social/instance/domain_block.hpp"

#include <algorithm>

namespace discovery {

const db::Query<Publisher> publishers_down{
    "publishers_down", "SELECT id, domain FROM publishers WHERE id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
};
const db::Query<Publisher> publishers_up{
    "publishers_up", "SELECT id, domain FROM publishers WHERE id < $1 AND id > $2 ORDER BY id LIMIT $3"
};
const db::Query<Publisher> publisher_by_id{
    "publisher_by_id", "SELECT id, domain FROM publishers WHERE id = $1"
};
const db::Query<Publisher> publishers_by_domain{
    "publishers_by_domain", "SELECT id, domain FROM publishers WHERE domain IN LIST($1)"
};
const db::Command insert_publisher{
    "insert_publisher", "INSERT INTO publishers (id, domain) VALUES ($1, $2) ON CONFLICT (domain) DO NOTHING"
};

std::vector<Publisher> publishers(db::Read& db, const base::Range& r) {
    auto found = db.all(r.ascending ? publishers_up : publishers_down, r.below, r.above, r.limit);
    if (r.ascending) std::ranges::reverse(found);
    return found;
}

Publisher publisher(db::Read& db, PublisherId id) { return db.one(publisher_by_id, id); }

std::string host_of_link(std::string_view url) {
    auto scheme = url.find("://");
    if (scheme == url.npos) return {};
    auto rest = url.substr(scheme + 3);
    auto host = rest.substr(0, rest.find_first_of("/?#"));
    if (auto at = host.rfind('@'); at != host.npos) host.remove_prefix(at + 1);
    return base::text::ascii_lowered(host.substr(0, host.find(':')));
}

std::vector<Publisher> publishers_of(db::Read& db, const std::vector<std::string>& hosts) {
    std::vector<std::string> all;
    for (const auto& host : hosts)
        for (auto& domain : instance::domains_upwards(host)) all.push_back(std::move(domain));
    if (all.empty()) return {};
    return db.all(publishers_by_domain, all);
}

void note_publishers(db::Write& db, const std::vector<std::string>& hosts) {
    for (const auto& host : hosts)
        if (!host.empty()) db.run(insert_publisher, db.new_id<PublisherId>(), host);
}

std::unordered_map<std::int64_t, bool> decided_by_publisher(
    db::Read& db, const std::vector<statuses::Card>& cards
) {
    std::vector<std::string> hosts;
    for (const auto& card : cards) hosts.push_back(host_of_link(card.url));
    auto known = publishers_of(db, hosts);
    std::vector<std::int64_t> ids;
    for (const auto& one : known) ids.push_back(one.id.value);
    auto decided = reviews(db, Kind::publisher, ids);
    std::unordered_map<std::int64_t, bool> out;
    for (std::size_t i = 0; i < cards.size(); ++i)
        for (const auto& domain : instance::domains_upwards(hosts[i])) {  // longest first
            auto one = std::ranges::find(known, domain, &Publisher::domain);
            auto review = one == known.end() ? decided.end() : decided.find(one->id.value);
            if (review == decided.end() || !review->second.allowed) continue;
            out.emplace(cards[i].id.value, *review->second.allowed);
            break;
        }
    return out;
}

}  // namespace discovery

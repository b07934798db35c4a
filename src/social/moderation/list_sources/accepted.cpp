// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/list_sources/accepted.hpp"

#include "base/json_read.hpp"
#include "social/instance/domain_block.hpp"

#include <algorithm>

namespace moderation {

const db::Query<std::string> domains_that_lists_accept{
    "domains_that_lists_accept", "SELECT accepts FROM list_copies WHERE accepts <> '[]'"
};

AcceptedDomains::AcceptedDomains(db::Read& db) {
    for (const auto& some : db.all(domains_that_lists_accept))
        add(base::json::read<std::vector<std::string>>(some));
}

void AcceptedDomains::add(const std::vector<std::string>& domains) {
    for (const auto& domain : domains) {
        domains_.insert(domain);
        for (auto& above : instance::domains_upwards(domain)) above_.insert(std::move(above));
    }
}

bool AcceptedDomains::touched_by(const std::string& domain) const {
    return above_.contains(domain) ||
           std::ranges::any_of(instance::domains_upwards(domain), [&](const auto& one) {
               return domains_.contains(one);
           });
}

}  // namespace moderation

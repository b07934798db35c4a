// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/insight/tag_servers.hpp"

#include "social/accounts/account.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>

namespace insight {

using base::AccountId;

namespace {

struct TagUse {
    std::int64_t day = 0;
    AccountId account;
    auto operator<=>(const TagUse&) const = default;
};
DESCRIBE(TagUse, day, account)

}  // namespace

// status_tags belongs to statuses. What was deleted since was posted all the same.
const db::Query<TagUse> uses_of_tag{
    "uses_of_tag",
    R"(SELECT (status_id / 65536) / 86400000 AS day, account_id AS account FROM status_tags
       WHERE tag_id = $3 AND status_id >= $1 AND status_id < $2)"
};

namespace {

template <class T>
void sort_each_once(std::vector<T>& all) {
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());
}

// In the order of their ids, as they stand beside each other then.
std::unordered_map<AccountId, std::size_t> servers_of(
    db::Read& db, std::vector<AccountId> authors, std::size_t& servers
) {
    constexpr std::size_t at_once = 1000;
    sort_each_once(authors);
    std::unordered_map<AccountId, std::size_t> out;
    std::unordered_map<std::string, std::size_t> numbers;
    out.reserve(authors.size());
    for (std::size_t done = 0; done < authors.size(); done += at_once) {
        const auto some = std::span(authors).subspan(done, std::min(at_once, authors.size() - done));
        db.each(
            accounts::domains_of_these,
            [&](const accounts::DomainOf& one) {
                out[one.id] = numbers.emplace(one.domain, numbers.size()).first->second;
            },
            std::vector<AccountId>(some.begin(), some.end())
        );
    }
    servers = numbers.size();
    return out;
}

}  // namespace

TagServers::TagServers(db::Read& db, base::TagId tag, const Days& days) {
    std::vector<TagUse> found;
    std::size_t most = 100'000;  // who uses it often a day is kept once, and not for each post until the end
    db.each(
        uses_of_tag,
        [&](const TagUse& one) {
            found.push_back(one);
            if (found.size() < most) return;
            sort_each_once(found);
            most = std::max(most, 2 * found.size());
        },
        first_id_of(days.first),
        first_id_of(days.last + 1),
        tag
    );
    sort_each_once(found);
    std::vector<AccountId> authors;
    for (const auto& one : found) authors.push_back(one.account);
    const auto servers = servers_of(db, std::move(authors), servers_);
    for (const auto& one : found)
        if (const auto server = servers.find(one.account); server != servers.end())
            uses_.push_back({one.day, server->second});
    sort_each_once(uses_);
}

std::int64_t TagServers::between(std::int64_t first, std::int64_t beyond) const {
    std::vector<bool> seen(servers_);
    std::int64_t out = 0;
    for (auto at = std::ranges::lower_bound(uses_, first, {}, &Use::day);
         at != uses_.end() && at->day < beyond;
         ++at) {
        out += !seen[at->server];
        seen[at->server] = true;
    }
    return out;
}

}  // namespace insight

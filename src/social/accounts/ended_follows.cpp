// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/remote/server_limits.hpp"

#include <algorithm>
#include <map>

namespace accounts {

const db::Command count_followers_less{
    "count_followers_less",
    "UPDATE accounts SET version = version + 1, followers_count = followers_count - $2 WHERE id IN LIST($1)"
};
const db::Command count_following_less{
    "count_following_less",
    "UPDATE accounts SET version = version + 1, following_count = following_count - $2 WHERE id IN LIST($1)"
};

namespace {

// Many accounts lost the same number, so they are updated together.
using Alike = std::map<std::int64_t, std::vector<AccountId>>;

Alike alike(std::vector<AccountId> each) {
    Alike out;
    std::ranges::sort(each);
    for (auto at = each.begin(); at != each.end();) {
        const auto end = std::ranges::upper_bound(at, each.end(), *at);
        out[end - at].push_back(*at);
        at = end;
    }
    return out;
}

}  // namespace

void count_follows_ended(
    db::Write& db, const std::vector<AccountId>& followers, const std::vector<AccountId>& followed
) {
    for (const auto& [n, ids] : alike(followed)) db.run(count_followers_less, ids, n);
    for (const auto& [n, ids] : alike(followers)) db.run(count_following_less, ids, n);
}

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/remote/server_limits.hpp"

namespace accounts {

const db::Command count_followers_less{
    "count_followers_less",
    "UPDATE accounts SET version = version + 1, followers_count = followers_count - 1 WHERE id IN LIST($1)"
};
const db::Command count_following_less{
    "count_following_less",
    "UPDATE accounts SET version = version + 1, following_count = following_count - 1 WHERE id IN LIST($1)"
};
const db::Command count_followers_lost{
    "count_followers_lost",
    "UPDATE accounts SET version = version + 1, followers_count = followers_count - $2 WHERE id = $1"
};
const db::Command count_following_lost{
    "count_following_lost",
    "UPDATE accounts SET version = version + 1, following_count = following_count - $2 WHERE id = $1"
};

void count_follows_ended(db::Write& db, AccountId follower, const std::vector<AccountId>& targets) {
    db.run(count_following_lost, follower, std::ssize(targets));
    db.run(count_followers_less, targets);
}

void count_followers_ended(db::Write& db, AccountId target, const std::vector<AccountId>& followers) {
    db.run(count_followers_lost, target, std::ssize(followers));
    db.run(count_following_less, followers);
}

}  // namespace accounts

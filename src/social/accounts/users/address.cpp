// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/network.hpp"
#include "social/accounts/administering.hpp"

namespace accounts {

const db::Query<UsedAddress> addresses_of_users{
    "addresses_of_users",
    R"(SELECT user_id, address, used_at FROM user_addresses WHERE user_id IN LIST($1)
       ORDER BY used_at DESC, address)"
};

std::vector<UsedAddress> addresses_of(db::Read& db, const std::vector<UserId>& users) {
    if (users.empty()) return {};
    return db.all(addresses_of_users, users);
}

const db::Command put_user_address{
    "put_user_address",
    R"(INSERT INTO user_addresses (user_id, address, sorted, used_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (user_id, address) DO UPDATE SET used_at = excluded.used_at)"
};

void note_address(db::Write& db, UserId user, std::string_view address) {
    auto sorted = base::address_digits(address);
    if (!sorted.empty()) db.run(put_user_address, user, address, sorted, db.now());
}

const db::Query<UserId> users_between_addresses{
    "users_between_addresses",
    "SELECT DISTINCT user_id FROM user_addresses WHERE sorted >= $1 AND sorted <= $2 LIMIT 20000"
};

std::vector<UserId> users_from(db::Read& db, std::string_view text) {
    auto network = base::parse_network(text);
    if (!network) return {};
    return db.all(users_between_addresses, network->first, network->last);
}

const db::Command delete_old_addresses{
    "delete_old_addresses",
    R"(DELETE FROM user_addresses WHERE (user_id, address) IN (
           SELECT user_id, address FROM user_addresses WHERE used_at < $1 ORDER BY used_at LIMIT 500))"
};

void purge_addresses(db::Write& db) {
    constexpr std::int64_t year = 365 * 86'400;
    db.run(delete_old_addresses, db.now().plus_seconds(-year));
}

const db::Command delete_old_user_days{
    "delete_old_user_days",
    R"(DELETE FROM user_days WHERE (day, user_id) IN (
           SELECT day, user_id FROM user_days WHERE day < $1 ORDER BY day LIMIT 500))"
};

const db::Command delete_old_active_days{
    "delete_old_active_days",
    R"(DELETE FROM active_days WHERE (day, seen_before) IN (
           SELECT day, seen_before FROM active_days WHERE day < $1 ORDER BY day LIMIT 500))"
};

void purge_user_days(db::Write& db) {
    constexpr std::int64_t two_years = 2 * 366 * 86'400;
    const auto oldest = db.now().plus_seconds(-two_years);
    db.run(delete_old_user_days, oldest);
    db.run(delete_old_active_days, oldest);
}

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/monitoring/refused.hpp"

namespace server {

// The tables belong to accounts and oauth.
const db::Query<std::string> name_of_refused_user{
    "name_of_refused_user",
    "SELECT a.username FROM users u JOIN accounts a ON a.id = u.account_id WHERE u.id = $1"
};
const db::Query<std::string> name_of_refused_account{
    "name_of_refused_account", "SELECT username FROM accounts WHERE id = $1"
};

namespace {

struct OfToken {
    std::string app, username;
};
DESCRIBE(OfToken, app, username)

}  // namespace

const db::Query<OfToken> name_of_refused_token{
    "name_of_refused_token",
    R"(SELECT p.name AS app, COALESCE(a.username, '') AS username FROM tokens t JOIN apps p ON p.id = t.app_id
       LEFT JOIN users u ON u.id = t.user_id LEFT JOIN accounts a ON a.id = u.account_id WHERE t.id = $1)"
};

std::string number_of_refused(const http::LimitRefusal& one) {
    if (one.who == http::Refused::address || one.who == http::Refused::network) return one.address;
    return std::string(base::word(one.who)) + " " + std::to_string(one.id);
}

std::string name_of_refused(db::Read& db, const http::LimitRefusal& one) {
    using enum http::Refused;
    if (one.who == user || one.who == account)
        if (auto name = db.maybe(one.who == user ? name_of_refused_user : name_of_refused_account, one.id))
            return "@" + *name;
    if (one.who == token)
        if (auto known = db.maybe(name_of_refused_token, one.id))
            return known->username.empty() ? known->app : known->app + " of @" + known->username;
    return number_of_refused(one);
}

}  // namespace server

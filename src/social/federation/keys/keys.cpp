// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/keys/keys.hpp"

#include "base/uris.hpp"
#include "social/accounts/account.hpp"

namespace federation {

namespace {

struct OwnKey {
    std::string id, public_key, private_key;
};
DESCRIBE(OwnKey, id, public_key, private_key)

}  // namespace

const db::Query<OwnKey> own_key_of{
    "own_key_of",
    R"(SELECT id, public_key, private_key FROM actor_keys WHERE account_id = $1 AND private_key IS NOT NULL
       ORDER BY created_at, id LIMIT 1)"
};

namespace {

OwnKey own_key(db::Read& db, AccountId account) {
    auto found = db.maybe(own_key_of, account);
    if (!found) throw base::Unavailable("The key of this actor is being made, please try again");
    return *std::move(found);
}

}  // namespace

bool has_key(db::Read& db, AccountId account) { return db.maybe(own_key_of, account).has_value(); }

SigningKey signing_key(db::Read& db, AccountId account) {
    auto key = own_key(db, account);
    return {std::move(key.id), std::move(key.private_key)};
}

std::string public_key(db::Read& db, AccountId account) { return own_key(db, account).public_key; }

const db::Query<std::string> stored_uri_of_account{
    "stored_uri_of_account", "SELECT uri FROM accounts WHERE id = $1 AND domain = ''"
};
const db::Command insert_own_key{
    "insert_own_key",
    R"(INSERT INTO actor_keys (id, account_id, type, public_key, private_key, created_at)
       VALUES ($1, $2, 'rsa', $3, $4, $5) ON CONFLICT (id) DO NOTHING)"
};

void keep_key(db::Write& db, AccountId account, const KeyPair& pair) {
    auto actor = base::uris::actor(db.site(), account);
    if (account != base::uris::server_actor) {
        auto stored = db.maybe(stored_uri_of_account, account);
        if (!stored) return;
        actor = accounts::uri_of(db.site(), account, *stored);
    }
    if (db.maybe(own_key_of, account)) return;
    db.run(insert_own_key, base::uris::main_key(actor), account, pair.public_pem, pair.private_pem, db.now());
}

jobs::Change make_key(const base::Ask& ask, db::Read& db, const KeyWanted& e) {
    if (has_key(db, e.account)) return {};
    auto pair = ask(NewKeyPair{e.account});
    return [account = e.account, pair](db::Write& write) { keep_key(write, account, pair); };
}

jobs::Change make_first_key(const base::Ask& ask, db::Read& db, const accounts::Activated& e) {
    return make_key(ask, db, {e.account});
}

const db::Query<AccountId> accounts_without_key{
    "accounts_without_key",
    R"(SELECT u.account_id FROM users u WHERE u.account_id > $1
         AND (SELECT count(*) FROM actor_keys k WHERE k.account_id = u.account_id AND k.private_key IS NOT NULL) = 0
       ORDER BY u.account_id LIMIT $2)"
};

void want_missing_keys(db::Write& db, const KeysMissing& e) {
    constexpr int chunk = 100;
    auto some = db.all(accounts_without_key, e.after, chunk);
    for (auto account : some) db.emit(KeyWanted{account});
    if (some.size() == chunk) db.emit(KeysMissing{some.back()});
}

void complete_keys(db::Write& db) {
    if (!db.maybe(own_key_of, base::uris::server_actor)) db.emit(KeyWanted{base::uris::server_actor});
    if (!db.all(accounts_without_key, AccountId{}, 1).empty()) db.emit(KeysMissing{});
}

}  // namespace federation

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/keys/keys.hpp"

#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/keys/shown_keys.hpp"

namespace federation {

namespace {

struct OwnKey {
    std::string id, type, public_key, private_key;
};
DESCRIBE(OwnKey, id, type, public_key, private_key)

}  // namespace

const db::Query<OwnKey> own_keys_of{
    "own_keys_of",
    R"(SELECT id, type, public_key, private_key FROM actor_keys WHERE account_id = $1 AND private_key IS NOT NULL
       ORDER BY CASE WHEN type = 'ed25519' THEN 1 ELSE 0 END, created_at, id LIMIT 10)"
};

namespace {

bool hangs_on(std::string_view id, std::string_view actor) {
    return id.starts_with(actor) &&
           (id.substr(actor.size()).starts_with('#') || id.substr(actor.size()).starts_with('/'));
}

// The signing key first, if there is one.
std::vector<OwnKey> own_keys(db::Read& db, AccountId account) {
    auto all = db.all(own_keys_of, account);
    if (account == base::uris::server_actor) {
        const auto actor = base::uris::actor(db.site(), account);
        std::erase_if(all, [&](const OwnKey& key) { return !hangs_on(key.id, actor); });
    }
    if (!all.empty() && all.front().type == "ed25519") all.clear();
    return all;
}

std::vector<OwnPublicKey> shown(std::vector<OwnKey> keys) {
    std::vector<OwnPublicKey> out;
    for (auto& key : keys) out.push_back({std::move(key.id), std::move(key.type), std::move(key.public_key)});
    return out;
}

[[noreturn]] void still_being_made() {
    throw base::Unavailable("The key of this actor is being made, please try again");
}

}  // namespace

bool has_key(db::Read& db, AccountId account) { return !own_keys(db, account).empty(); }

std::optional<SigningKey> find_signing_key(db::Read& db, AccountId account) {
    auto keys = own_keys(db, account);
    if (keys.empty()) return std::nullopt;
    return SigningKey{std::move(keys[0].id), std::move(keys[0].private_key)};
}

SigningKey signing_key(db::Read& db, AccountId account) {
    auto key = find_signing_key(db, account);
    if (!key) still_being_made();
    return *std::move(key);
}

std::string public_key(db::Read& db, AccountId account) { return shown_keys(db, account).front().public_key; }

std::vector<OwnPublicKey> shown_keys(db::Read& db, AccountId account) {
    auto keys = shown(own_keys(db, account));
    if (keys.empty()) still_being_made();
    return keys;
}

std::vector<OwnPublicKey> keys_of_former_server(db::Read& db, const std::string& actor) {
    auto all = db.all(own_keys_of, base::uris::server_actor);
    std::erase_if(all, [&](const OwnKey& key) { return !hangs_on(key.id, actor); });
    return shown(std::move(all));
}

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
    if (has_key(db, account)) return;
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
         AND (SELECT count(*) FROM actor_keys k WHERE k.account_id = u.account_id AND k.private_key IS NOT NULL
                AND k.type <> 'ed25519') = 0
       ORDER BY u.account_id LIMIT $2)"
};

void want_missing_keys(db::Write& db, const KeysMissing& e) {
    constexpr int chunk = 100;
    auto some = db.all(accounts_without_key, e.after, chunk);
    for (auto account : some) db.emit(KeyWanted{account});
    if (some.size() == chunk) db.emit(KeysMissing{some.back()});
}

void complete_keys(db::Write& db) {
    if (!has_key(db, base::uris::server_actor)) db.emit(KeyWanted{base::uris::server_actor});
    if (!db.all(accounts_without_key, AccountId{}, 1).empty()) db.emit(KeysMissing{});
}

}  // namespace federation

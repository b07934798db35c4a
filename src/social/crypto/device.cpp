// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/crypto/device.hpp"

#include "base/crypto.hpp"
#include "base/signing.hpp"

namespace crypto {

namespace {

[[noreturn]] void refuse(std::string_view what) {
    throw base::Invalid("Validation failed: " + std::string(what));
}

// The bytes of a key; the text of it otherwise stays as it came, because that is what was signed.
std::string key_bytes(std::string_view text, bool (*valid)(std::string_view), std::string_view name) {
    auto bytes = base::from_base64(text);
    if (!bytes || !valid(*bytes)) refuse(std::string(name) + " is not a valid Ed25519 or Curve25519 key");
    return *std::move(bytes);
}

constexpr std::size_t longest_text = 255;

void check(const Upload& given) {
    if (given.device_id.size() > longest_text) refuse("Device is too long (maximum is 255 characters)");
    if (given.name.size() > longest_text) refuse("Name is too long (maximum is 255 characters)");
    auto fingerprint = key_bytes(given.fingerprint_key, base::is_ed25519_key, "Fingerprint key");
    key_bytes(given.identity_key, base::is_curve25519_key, "Identity key");
    if (std::ssize(given.one_time_keys) > most_one_time_keys) refuse("One time keys are too many");
    for (const auto& one : given.one_time_keys) {
        if (one.key_id.size() > longest_text) refuse("Key is too long (maximum is 255 characters)");
        key_bytes(one.key, base::is_curve25519_key, "Key");
        auto signature = base::from_base64(one.signature);
        if (!signature || !base::is_signed(fingerprint, *signature, one.key))
            refuse("Signature is not a valid Ed25519 signature");
    }
}

}  // namespace

const db::Query<Device> device_of_token{
    "device_of_token",
    R"(SELECT id, token_id, account_id, device_id, name, fingerprint_key, identity_key FROM crypto_devices
       WHERE token_id = $1)"
};

std::optional<Device> device_of(db::Read& db, TokenId token) { return db.maybe(device_of_token, token); }

Device own_device(db::Read& db, TokenId token) { return db.one(device_of_token, token); }

const db::Query<Device> devices_of_accounts{
    "devices_of_accounts",
    R"(SELECT id, token_id, account_id, device_id, name, fingerprint_key, identity_key FROM crypto_devices
       WHERE account_id IN LIST($1) ORDER BY account_id, id)"
};

std::vector<Device> devices_of(db::Read& db, const std::vector<AccountId>& accounts) {
    return db.all(devices_of_accounts, accounts);
}

const db::Query<Device> device_by_name{
    "device_by_name",
    R"(SELECT id, token_id, account_id, device_id, name, fingerprint_key, identity_key FROM crypto_devices
       WHERE account_id = $1 AND device_id = $2)"
};

std::optional<Device> find_device(db::Read& db, AccountId account, std::string_view device_id) {
    return db.maybe(device_by_name, account, device_id);
}

const db::Command insert_device{
    "insert_device",
    R"(INSERT INTO crypto_devices (id, token_id, account_id, device_id, name, fingerprint_key, identity_key,
           created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8))"
};
const db::Command update_device{
    "update_device",
    R"(UPDATE crypto_devices SET device_id = $2, name = $3, fingerprint_key = $4, identity_key = $5
       WHERE id = $1)"
};
const db::Command delete_keys_of{"delete_keys_of", "DELETE FROM crypto_one_time_keys WHERE device = $1"};
const db::Command put_key{
    "put_key",
    R"(INSERT INTO crypto_one_time_keys (id, device, key_id, key_text, signature) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (device, key_id) DO UPDATE SET
           key_text = excluded.key_text, signature = excluded.signature)"
};

namespace {

DeviceRowId put_device(db::Write& db, AccountId account, TokenId token, const Upload& given) {
    auto known = device_of(db, token);
    auto name = given.device_id;
    if (name.empty()) name = known ? known->device_id : base::random_token();
    if (!known) {
        auto id = db.new_id<DeviceRowId>();
        db.run(
            insert_device,
            id,
            token,
            account,
            name,
            given.name,
            given.fingerprint_key,
            given.identity_key,
            db.now()
        );
        return id;
    }
    if (known->fingerprint_key != given.fingerprint_key) db.run(delete_keys_of, known->id);
    db.run(update_device, known->id, name, given.name, given.fingerprint_key, given.identity_key);
    return known->id;
}

}  // namespace

void upload(db::Write& db, AccountId account, TokenId token, const Upload& given) {
    check(given);
    auto device = put_device(db, account, token, given);
    for (const auto& one : given.one_time_keys)
        db.run(put_key, db.new_id<base::Id<struct KeyTag>>(), device, one.key_id, one.key, one.signature);
    if (count_keys(db, device) > most_one_time_keys) refuse("One time keys are too many");
}

const db::Query<std::int64_t> keys_of_device{
    "keys_of_device", "SELECT CAST(COUNT(*) AS BIGINT) FROM crypto_one_time_keys WHERE device = $1"
};

std::int64_t count_keys(db::Read& db, DeviceRowId device) { return db.one(keys_of_device, device); }

// SKIP LOCKED: two that claim at the same moment get different keys instead of one getting none.
const db::Query<OneTimeKey> take_one_time_key{
    "take_one_time_key",
    R"(DELETE FROM crypto_one_time_keys WHERE id = (
           SELECT id FROM crypto_one_time_keys WHERE device = $1 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING key_id, key_text AS key, signature)"
};

std::optional<OneTimeKey> take_key(db::Write& db, DeviceRowId device) {
    auto taken = db.all(take_one_time_key, device);
    if (taken.empty()) return std::nullopt;
    return taken.front();
}

const db::Query<DeviceRowId> devices_of_tokens{
    "devices_of_tokens", "SELECT id FROM crypto_devices WHERE token_id IN LIST($1)"
};
const db::Command delete_device{"delete_device", "DELETE FROM crypto_devices WHERE id = $1"};
const db::Command delete_messages_of{"delete_messages_of", "DELETE FROM crypto_messages WHERE device = $1"};

void forget_devices(db::Write& db, const accounts::TokensRevoked& event) {
    for (auto device : db.all(devices_of_tokens, event.tokens)) {
        db.run(delete_keys_of, device);
        db.run(delete_messages_of, device);
        db.run(delete_device, device);
    }
}

}  // namespace crypto

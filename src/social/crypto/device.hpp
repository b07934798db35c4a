// SPDX-License-Identifier: AGPL-3.0-or-later
// Devices for end-to-end encryption and the keys by which others write to them. The server stores and hands out what
// devices signed; it can open nothing. A device belongs to one access token and goes with it.
#pragma once
#include "base/json.hpp"
#include "db/session.hpp"
#include "social/accounts/users/access.hpp"

namespace crypto {

using base::AccountId;
using base::TokenId;
using DeviceRowId = base::Id<struct CryptoDeviceTag>;  // ours; clients have their own device_id

struct Device {
    DeviceRowId id;
    TokenId token_id;
    AccountId account_id;
    std::string device_id, name, fingerprint_key, identity_key;
};
DESCRIBE(Device, id, token_id, account_id, device_id, name, fingerprint_key, identity_key)

struct OneTimeKey {
    std::string key_id, key, signature;
};
DESCRIBE(OneTimeKey, key_id, key, signature)

struct Upload {
    std::string device_id, name, fingerprint_key, identity_key;
    std::vector<OneTimeKey> one_time_keys;
};
constexpr std::int64_t most_one_time_keys = 1000;  // that wait at one device

// The device of this token, new or changed, and further keys for it. Another fingerprint ends the keys signed by the
// old one. Throws Invalid: a key that is none, a signature that does not hold, too many.
void upload(db::Write&, AccountId, TokenId, const Upload&);

std::optional<Device> device_of(db::Read&, TokenId);
Device own_device(db::Read&, TokenId);  // or throws NotFound
std::vector<Device> devices_of(db::Read&, const std::vector<AccountId>&);
std::optional<Device> find_device(db::Read&, AccountId, std::string_view device_id);

std::int64_t count_keys(db::Read&, DeviceRowId);
// One key, the oldest: nobody else gets it. Nothing when there is none.
std::optional<OneTimeKey> take_key(db::Write&, DeviceRowId);

void forget_devices(db::Write&, const accounts::TokensRevoked&);

}  // namespace crypto

// SPDX-License-Identifier: AGPL-3.0-or-later
// The devices of an account as other servers read them. Shapes as the reference once had them and never released.
#include "http/body/urlencoded.hpp"
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/crypto/device.hpp"

namespace crypto {
namespace {

struct Key {
    std::string type, publicKeyBase64;
};
DESCRIBE(Key, type, publicKeyBase64)

struct DeviceObject {
    std::string deviceId, type, name, claim;
    Key fingerprintKey, identityKey;
};
DESCRIBE(DeviceObject, deviceId, type, name, claim, fingerprintKey, identityKey)

struct DeviceCollection {
    std::string id, type;
    std::int64_t totalItems = 0;
    std::vector<DeviceObject> items;
};
DESCRIBE(DeviceCollection, id, type, totalItems, items)

constexpr std::string_view context =
    R"("@context":["https://www.w3.org/ns/activitystreams",{"toot":"http://joinmastodon.org/ns#",)"
    R"("Device":"toot:Device","Ed25519Key":"toot:Ed25519Key","Curve25519Key":"toot:Curve25519Key",)"
    R"("deviceId":"toot:deviceId","publicKeyBase64":"toot:publicKeyBase64",)"
    R"("claim":{"@type":"@id","@id":"toot:claim"},"fingerprintKey":{"@type":"@id","@id":"toot:fingerprintKey"},)"
    R"("identityKey":{"@type":"@id","@id":"toot:identityKey"}}])";

struct ByName {
    std::string username;
};
DESCRIBE(ByName, username)

http::Response devices(db::Read& db, const ByName& path) {
    auto account = accounts::find_local(db, path.username);
    if (!account || account->suspended_at || !accounts::find_account(db, account->id)) throw base::NotFound();
    auto home = db.site().public_url + "/users/" + account->username;
    DeviceCollection all{home + "/collections/devices", "Collection", 0, {}};
    for (const auto& d : devices_of(db, {account->id}))
        all.items.push_back(
            {d.device_id,
             "Device",
             d.name,
             home + "/claim?id=" + http::percent_encoded(d.device_id),
             {"Ed25519Key", d.fingerprint_key},
             {"Curve25519Key", d.identity_key}}
        );
    all.totalItems = std::ssize(all.items);
    http::Response response;
    response.content_type = "application/activity+json; charset=utf-8";
    response.headers.emplace_back("Cache-Control", "max-age=15, public");
    response.headers.emplace_back("Vary", "Accept");
    auto members = base::json::to_string(all);
    response.body = "{" + std::string(context) + "," + members.substr(1);
    return response;
}

// clang-format off
constexpr http::Route table[] = {
    http::get<devices>("/users/:username/collections/devices"),
};
// clang-format on

}  // namespace

std::span<const http::Route> activitypub_routes() { return table; }

}  // namespace crypto

// SPDX-License-Identifier: AGPL-3.0-or-later
// Another server claims a one-time key of a local device for one of its accounts. The format is Mastodon's,
// from before it removed this.
#include "http/errors.hpp"
#include "http/route.hpp"
#include "social/crypto/device.hpp"
#include "social/federation/documents/answer_api.hpp"

namespace federation {
namespace {

struct Wanted {
    std::string username;
    http::Required<std::string> id;  // of the device
};
DESCRIBE(Wanted, username, id)

// The device is determined before its key is taken.
crypto::DeviceRowId device(
    const base::Ask& ask, db::Read& db, const http::Request& request, const Wanted& what
) {
    auto who = reader(ask, db, request);
    if (!who.known()) throw http::Refusal(http::failure(401, "This request must be signed"));
    auto account = accounts::find_local(db, what.username);
    if (!account || account->suspended_at || hidden_from(db, account->id, who)) throw base::NotFound();
    auto found = crypto::find_device(db, account->id, what.id.value);
    if (!found) throw base::NotFound();
    return found->id;
}

struct Signature {
    std::string type = "Ed25519Signature", signatureValue;
};
DESCRIBE(Signature, type, signatureValue)

struct Key {
    std::string keyId, type = "Curve25519Key", publicKeyBase64;
    Signature signature;
};
DESCRIBE(Key, keyId, type, publicKeyBase64, signature)

constexpr std::string_view context =
    R"("@context":["https://www.w3.org/ns/activitystreams",{"toot":"http://joinmastodon.org/ns#",)"
    R"("Curve25519Key":"toot:Curve25519Key","Ed25519Signature":"toot:Ed25519Signature","keyId":"toot:keyId",)"
    R"("publicKeyBase64":"toot:publicKeyBase64","signatureValue":"toot:signatureValue"}])";

http::Response take(db::Write& db, const crypto::DeviceRowId& device) {
    auto taken = crypto::take_key(db, device);
    if (!taken) throw base::NotFound();
    auto members = base::json::to_string(
        Key{taken->key_id, "Curve25519Key", taken->key, {"Ed25519Signature", taken->signature}}
    );
    auto response = open_activity("{" + std::string(context) + "," + members.substr(1));
    response.headers = {{"Cache-Control", "private, no-store"}};
    return response;
}

constexpr http::Route table[] = {http::post<device, take>("/users/:username/claim").raw()};

}  // namespace

std::span<const http::Route> claim_routes() { return table; }

}  // namespace federation

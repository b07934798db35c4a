// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/actors/actor.hpp"

#include "ap/signatures/key.hpp"
#include "base/uris.hpp"
#include "social/accounts/actor_ap.hpp"
#include "social/federation/keys/shown_keys.hpp"

namespace federation {

namespace uris = base::uris;
namespace write = ap::write;

namespace {

// Some servers store only one key per actor, so `publicKey` is the signing key; keys of other types are shown
// as in FEP-521a.
void add_keys(write::Actor& out, const std::vector<OwnPublicKey>& keys) {
    out.publicKey = {keys.front().id, out.id, keys.front().public_key};
    std::vector<write::Multikey> others;
    for (const auto& key : keys) {
        if (key.type != "ed25519") continue;
        auto parsed = key.public_key.starts_with("-----BEGIN") ? ap::PublicKey::from_pem(key.public_key)
                                                               : ap::PublicKey::from_multikey(key.public_key);
        if (parsed) others.push_back({key.id, "Multikey", out.id, parsed->multikey()});
    }
    if (!others.empty()) out.assertionMethod = std::move(others);
}

write::Actor actor(db::Read& db, const accounts::Account& account) {
    auto out = accounts::to_actor(db, account);
    add_keys(out, shown_keys(db, account.id));
    return out;
}

}  // namespace

std::string actor_document(db::Read& db, const accounts::Account& account) {
    auto found = actor(db, account);
    auto terms = accounts::terms_of(found);
    return write::document(std::move(found), terms);
}

std::string server_name(const base::Site& site) { return site.domain.substr(0, site.domain.find(':')); }

namespace {

std::string server_document(db::Read& db, const std::string& id, const OwnPublicKey& key) {
    const auto& site = db.site();
    write::ServerActor out;
    out.id = id;
    out.preferredUsername = server_name(site);
    out.inbox = uris::inbox(out.id);
    out.outbox = uris::outbox(out.id);
    out.publicKey = {key.id, id, key.public_key};
    out.endpoints.sharedInbox = uris::shared_inbox(site);
    out.url = site.public_url + "/";
    return write::document(std::move(out), write::security | write::of_actors);
}

}  // namespace

std::string server_actor_document(db::Read& db) {
    return server_document(
        db, uris::actor(db.site(), uris::server_actor), shown_keys(db, uris::server_actor).front()
    );
}

std::string former_server_actor_document(db::Read& db, const std::string& id) {
    const auto keys = keys_of_former_server(db, id);
    return keys.empty() ? server_actor_document(db) : server_document(db, id, keys.front());
}

std::string actor_update_activity(db::Read& db, const accounts::Account& account) {
    auto found = actor(db, account);
    write::Activity out;
    out.id = uris::update(found.id, db.now());
    out.type = "Update";
    out.actor = found.id;
    out.to = std::vector{std::string(uris::public_collection)};
    out.object = write::embedded(found);
    return write::document(std::move(out), accounts::terms_of(found));
}

std::string actor_delete_activity(db::Read& db, const accounts::Account& account) {
    auto id = accounts::uri_of(db.site(), account);
    return write::document(write::removal(uris::removal(id), id, write::reference(id)));
}

}  // namespace federation

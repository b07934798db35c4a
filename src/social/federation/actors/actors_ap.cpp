// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/actors/actor.hpp"

#include "base/uris.hpp"
#include "social/accounts/actor_ap.hpp"
#include "social/federation/keys/keys.hpp"

namespace federation {

namespace uris = base::uris;
namespace write = ap::write;

namespace {

write::Actor actor(db::Read& db, const accounts::Account& account) {
    return accounts::to_actor(db, account, public_key(db, account.id));
}

}  // namespace

std::string actor_document(db::Read& db, const accounts::Account& account) {
    auto found = actor(db, account);
    auto terms = accounts::terms_of(found);
    return write::document(std::move(found), terms);
}

std::string server_name(const base::Site& site) { return site.domain.substr(0, site.domain.find(':')); }

std::string server_actor_document(db::Read& db) {
    const auto& site = db.site();
    write::ServerActor out;
    out.id = uris::actor(site, uris::server_actor);
    out.preferredUsername = server_name(site);
    out.inbox = uris::inbox(out.id);
    out.outbox = uris::outbox(out.id);
    out.publicKey = {uris::main_key(out.id), out.id, public_key(db, uris::server_actor)};
    out.endpoints.sharedInbox = uris::shared_inbox(site);
    out.url = site.public_url + "/";
    return write::document(std::move(out), write::security | write::of_actors);
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

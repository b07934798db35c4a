// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/peer.hpp"

#include "base/json.hpp"
#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/statuses/core/status.hpp"

const db::Command test_insert_actor{
    "test_insert_actor",
    R"(INSERT INTO actors (account_id, inbox, followers, following, featured, refreshed_at)
       VALUES ($1, $2, $3, $4, $5, $6))"
};
const db::Command test_insert_key{
    "test_insert_key",
    R"(INSERT INTO actor_keys (id, account_id, type, public_key, created_at) VALUES ($1, $2, 'pem', $3, $4))"
};

namespace {

constexpr const char* context = R"("@context":"https://www.w3.org/ns/activitystreams")";

const ap::PrivateKey& key_number(std::size_t n) {
    static const ap::PrivateKey keys[] = {ap::PrivateKey::new_rsa(), ap::PrivateKey::new_rsa()};
    return keys[n];
}

std::string quoted(const std::string& text) { return base::json::to_string(text); }

}  // namespace

Peer::Peer(World& world, const std::string& its_name, const std::string& its_host)
    : name(its_name),
      host(its_host),
      uri("https://" + its_host + "/users/" + its_name),
      key_id(uri + "#main-key"),
      world_(&world) {
    publish();
}

const ap::PrivateKey& Peer::key() const { return key_number(other_key_ ? 1 : 0); }

std::string Peer::document(const std::string& members) const {
    return std::string("{") + context + R"(,"type":"Person","id":)" + quoted(uri) +
           R"(,"preferredUsername":)" + quoted(name) + R"(,"inbox":)" + quoted(uri + "/inbox") +
           R"(,"outbox":)" + quoted(uri + "/outbox") + R"(,"followers":)" + quoted(uri + "/followers") +
           R"(,"featured":)" + quoted(uri + "/featured") + R"(,"publicKey":{"id":)" + quoted(key_id) +
           R"(,"owner":)" + quoted(uri) + R"(,"publicKeyPem":)" + quoted(key().public_key().pem()) + "}" +
           members + "}";
}

void Peer::publish(const std::string& members) const {
    internet().page(uri, document(members), "application/activity+json");
    auto finger = R"({"subject":"acct:)" + name + "@" + host +
                  R"(","links":[{"rel":"self","type":"application/activity+json","href":)" + quoted(uri) +
                  "}]}";
    for (auto scheme : {"http://", "https://"})
        internet().page(
            scheme + host + "/.well-known/webfinger?resource=acct:" + name + "@" + host,
            finger,
            "application/jrd+json"
        );
}

Peer& Peer::known() {
    id = world_->write([&](db::Write& db) {
        accounts::RemoteAccount account;
        account.uri = account.url = uri;
        account.username = name;
        account.domain = host;
        auto its_id = accounts::store_remote(db, account);
        db.run(
            test_insert_actor,
            its_id,
            uri + "/inbox",
            uri + "/followers",
            uri + "/following",
            uri + "/featured",
            db.now()
        );
        db.run(test_insert_key, key_id, its_id, key().public_key().pem(), db.now());
        return its_id;
    });
    world_->happened();
    world_->run_jobs();
    world_->happened();
    world_->changed();
    return *this;
}

std::string Peer::activity(
    const std::string& type, const std::string& object, const std::string& number, const std::string& more
) const {
    return std::string("{") + context + R"(,"type":)" + quoted(type) + R"(,"id":)" +
           quoted("https://" + host + "/activities/" + number) + R"(,"actor":)" + quoted(uri) +
           R"(,"object":)" + (object.starts_with('{') || object.starts_with('[') ? object : quoted(object)) +
           more + "}";
}

std::string Peer::follow(const std::string& target, const std::string& number) const {
    return activity("Follow", target, "follow-" + number);
}

std::string Peer::like(const std::string& status, const std::string& number) const {
    return activity("Like", status, "like-" + number);
}

std::string Peer::undo(const std::string& undone) const {
    return activity("Undo", undone, "undo-" + std::to_string(std::hash<std::string>{}(undone)));
}

std::string Peer::note(
    const std::string& number, const std::string& text, const std::string& more, const std::string& to
) const {
    return R"({"type":"Note","id":)" + quoted(note_id(number)) + R"(,"attributedTo":)" + quoted(uri) +
           R"(,"content":)" + quoted(text) + R"(,"to":[)" + to + R"(],"cc":[)" + quoted(uri + "/followers") +
           R"(],"published":)" + base::json::to_string(world_->now()) + more + "}";
}

std::string Peer::create(const std::string& note, const std::string& number) const {
    return activity("Create", note, "create-" + number);
}

http::Request Peer::request(const std::string& body, const std::string& inbox) const {
    http::Request request;
    request.method = http::Method::post;
    request.target = inbox;
    request.body = body;
    auto origin = world_->site().public_url;
    ap::Headers headers{{"Content-Type", "application/activity+json"}};
    auto all = ap::sign_draft({"POST", inbox, origin, headers, body}, {key(), key_id}, world_->now());
    for (auto& [header, value] : all) request.headers.emplace_back(header, value);
    request.headers.emplace_back("Host", origin.substr(origin.find("://") + 3));
    return request;
}

Answer Peer::gets(const std::string& target) const {
    http::Request request;
    request.target = target;
    auto origin = world_->site().public_url;
    ap::Headers headers{{"Accept", "application/activity+json"}};
    request.headers = ap::sign_draft({"GET", target, origin, headers, ""}, {key(), key_id}, world_->now());
    request.headers.emplace_back("Host", origin.substr(origin.find("://") + 3));
    return sends(std::move(request));
}

Answer Peer::sends(http::Request request) const { return world_->send(std::move(request)); }

Answer Peer::brings(const std::string& body, const std::string& inbox) const {
    return sends(request(body, inbox));
}

std::string uri_of(World& w, const Person& person) {
    return w.read([&](db::Read& db) {
        return accounts::uri_of(db.site(), accounts::account(db, {std::stoll(person.id)}));
    });
}

std::string uri_of(World& w, const std::string& status) {
    return w.read([&](db::Read& db) {
        auto author = statuses::find_status(db, {std::stoll(status)})->account_id;
        auto actor = accounts::uri_of(db.site(), accounts::account(db, author));
        return base::uris::status(actor, {std::stoll(status)});
    });
}

// SPDX-License-Identifier: AGPL-3.0-or-later
// What tests of collections between servers share: alice and carol here, who let themselves be featured, and bob there.
#pragma once
#include "social/accounts/profile/featuring.hpp"
#include "social/collections/remote.hpp"
#include "social/federation/elsewhere.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "social/federation/sent.hpp"

inline const db::Command test_allow_featuring{
    "test_allow_featuring", "UPDATE accounts SET feature_policy = $2, version = version + 1 WHERE id = $1"
};
inline const db::Command test_list_of_collections{
    "test_list_of_collections", "UPDATE actors SET featured_collections = $2 WHERE account_id = $1"
};

namespace stage {

struct FeaturedStage : OnEachWorld {
    Person alice = featurable("alice"), carol = featurable("carol");
    Peer bob = with_list(Peer(w).known());
    const std::string far = "https://far.example/users/bob/collections/1";
    const std::string authorization_of_bob = "https://far.example/users/bob/stamps/1";

    Person featurable(const std::string& name) {
        auto who = w.local(name);
        EXPECT_EQ(who.patch("/api/v1/accounts/update_credentials", {{"discoverable", "true"}}).status, 200);
        w.run_jobs();
        return who;
    }
    void allow(const Peer& who, accounts::FeaturePolicy policy) {
        w.write([&](db::Write& db) { db.run(test_allow_featuring, who.id, accounts::stored(policy)); });
    }
    // With a list of collections, and featured by anybody.
    Peer with_list(Peer peer) {
        allow(peer, {accounts::FeaturePolicy::public_, 0});
        w.write([&](db::Write& db) { db.run(test_list_of_collections, peer.id, list_of(peer)); });
        return peer;
    }
    static std::string list_of(const Peer& peer) { return peer.uri + "/featured_collections"; }
    static std::string text(base::AccountId id) { return std::to_string(id.value); }
    std::string path(const std::string& url) { return url.substr(w.site().public_url.size()); }
    Answer document(const std::string& url) {
        auto answer = w.anonymous().with("Accept", "application/activity+json").get(path(url));
        EXPECT_EQ(answer.status, 200) << url;
        return answer;
    }
    // ---- of ours ----
    std::string collection(const Person& who, const Fields& more = {}) {
        Fields form{{"name", "Friends"}, {"sensitive", "false"}, {"discoverable", "true"}};
        for (const auto& [name, value] : more) {
            std::erase_if(form, [&](const auto& f) { return f.first == name; });
            form.emplace_back(name, value);
        }
        auto answer = who.post("/api/v1/collections", form);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer["collection.id"];
    }
    std::string uri(const Person& owner, const std::string& id) {
        return uri_of(w, owner) + "/collections/" + id;
    }
    static Answer add(const Person& owner, const std::string& id, const std::string& account) {
        return owner.post("/api/v1/collections/" + id + "/items", {{"account_id", account}});
    }
    static std::string put(const Person& owner, const std::string& id, const std::string& account) {
        auto answer = add(owner, id, account);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer["collection_item.id"];
    }
    static std::string states(const Person& owner, const std::string& id) {
        Answer all{200, owner.get("/api/v1/collections/" + id)["collection.items"], {}};
        std::string out;
        for (const auto& state : all.all("state")) out += (out.empty() ? "" : " ") + state;
        return out;
    }
    std::vector<std::string> items(const Person& owner, const std::string& id) {
        return Answer{200, document(uri(owner, id))["orderedItems"], {}}.all("featuredObject");
    }
    static std::vector<std::string> in_collections(const Person& who) {
        return Answer{200, who.get("/api/v1/accounts/" + who.id + "/in_collections")["collections"], {}}.ids(
        );
    }
    void follow(const Peer& who, const Person& whom) {
        comes(who, who.follow(uri_of(w, whom)));
        sent(w);
    }

    // ---- of bob's ----
    void comes(const Peer& from, const std::string& body) {
        EXPECT_EQ(from.brings(body).status, 202);
        w.run_inbox();
    }
    static std::string item(
        const std::string& id, const std::string& account, const std::string& authorization
    ) {
        return R"({"type":"FeaturedItem","id":")" + id + R"(","featuredObject":")" + account +
               R"(","featuredObjectType":"Person","featureAuthorization":")" + authorization + "\"}";
    }
    static std::string collection_json(
        const std::string& id, const std::string& owner, const std::string& items = "",
        const std::string& more = ""
    ) {
        return R"({"@context":"https://www.w3.org/ns/activitystreams","type":"FeaturedCollection","id":")" +
               id + R"(","name":"Far friends","summary":"<p>Good people</p>","attributedTo":")" + owner +
               R"(","sensitive":false,"discoverable":true,"orderedItems":[)" + items + "]" + more + "}";
    }
    static void serve_collection(
        const Peer& owner, const std::string& id, const std::string& items = "", const std::string& by = "",
        const std::string& more = ""
    ) {
        elsewhere::serve(id, collection_json(id, by.empty() ? owner.uri : by, items, more));
    }
    static void serve_authorization(
        const std::string& id, const std::string& collection, const std::string& account
    ) {
        elsewhere::serve(
            id,
            R"({"@context":"https://www.w3.org/ns/activitystreams","type":"FeatureAuthorization","id":")" +
                id + R"(","interactingObject":")" + collection + R"(","interactionTarget":")" + account +
                "\"}"
        );
    }
    std::string request(
        const Peer& owner, const Person& whom, const std::string& number = "ask",
        const std::optional<Peer>& sender = {}
    ) {
        serve_collection(owner, far);
        return (sender ? *sender : owner)
            .activity("FeatureRequest", uri_of(w, whom), number, R"(,"instrument":")" + far + "\"");
    }
    std::string known(const std::string& collection) {
        return w.read([&](db::Read& db) {
            auto id = collections::find_by_uri(db, collection);
            return id ? std::to_string(id->value) : std::string();
        });
    }
};

}  // namespace stage

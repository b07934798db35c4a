// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/stage.hpp"

namespace stage {

const db::Command test_add_stranger{
    "test_add_stranger",
    R"(INSERT INTO accounts (id, username, domain, uri, url, created_at) VALUES ($1, $2, $3, $4, $4, $5))"
};
const db::Command test_add_key{
    "test_add_key",
    R"(INSERT INTO actor_keys (id, account_id, type, public_key, created_at) VALUES ($1, $2, 'pem', $3, $4))"
};
const db::Command test_add_follow{
    "test_add_follow", "INSERT INTO follows (id, account_id, target_id, created_at) VALUES ($1, $2, $3, $4)"
};

Federated::Stranger Federated::stranger(const std::string& name, const std::string& domain) {
    auto id = "https://" + domain + "/users/" + name;
    return w.write([&](db::Write& db) {
        auto account = db.new_id<base::AccountId>();
        db.run(test_add_stranger, account, name, domain, id, db.now());
        db.run(test_add_key, id + "#main-key", account, support::key_pair().public_pem, db.now());
        return Stranger{account, id};
    });
}

void Federated::follow(const Stranger& who, const Person& whom) {
    w.write([&](db::Write& db) {
        db.run(
            test_add_follow,
            db.new_id<base::FollowId>(),
            who.account,
            base::AccountId{std::stoll(whom.id)},
            db.now()
        );
    });
}

Answer Federated::get(const Stranger& who, const std::string& path) {
    static const auto key = ap::PrivateKey::from_pem(support::key_pair().private_pem);
    ap::Headers headers{{"Accept", "application/activity+json"}};
    auto id = who.id + "#main-key";
    http::Request request;
    request.target = path;
    request.headers = ap::sign_draft({"GET", path, base_url, headers, ""}, {*key, id}, w.now());
    request.headers.emplace_back("Host", std::string(base_url).substr(8));
    return w.send(std::move(request));
}

}  // namespace stage

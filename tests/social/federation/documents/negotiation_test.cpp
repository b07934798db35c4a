// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/stage.hpp"

const db::Command test_lose_key{"test_lose_key", "DELETE FROM actor_keys WHERE account_id = $1"};

namespace {

struct Negotiation : stage::Federated {};
ON_EACH_DATABASE(Negotiation);

constexpr const char* for_machines[] = {
    "application/activity+json",
    "application/ld+json",
    "application/ld+json; profile=\"https://www.w3.org/ns/activitystreams\"",
    "application/activity+json, application/ld+json",
    "application/activity+json, text/html;q=0.1",
    "Application/Activity+JSON",
    "application/json",
};
constexpr const char* for_people[] = {
    "text/html",
    "*/*",
    "",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "text/html, application/json",
    "image/png",
};

TEST_P(Negotiation, of_actors_and_statuses_goes_by_accept) {
    auto alice = w.local("alice");
    auto id = alice.status("hello");
    struct {
        std::string address, page;
        int redirected;
    } both[] = {
        {actor(alice), "/@alice", 301},
        {"/users/alice", "/@alice", 301},
        {"/users/ALICE", "/@alice", 301},
        {post(alice, id), "/@alice/" + id, 302},
        {"/users/" + alice.name + "/statuses/" + id, "/@alice/" + id, 302},
    };
    for (const auto& one : both) {
        for (auto accept : for_machines) {
            auto answer = nobody.with("Accept", accept).get(one.address);
            EXPECT_EQ(answer.status, 200) << one.address << " " << accept;
            EXPECT_EQ(answer.header("Content-Type"), stage::activity_type) << accept;
            EXPECT_TRUE(answer.header("Vary").starts_with("Accept")) << accept;
            EXPECT_EQ(answer.header("Cache-Control"), "max-age=180, public") << accept;
        }
        for (auto accept : for_people) {
            auto answer = (*accept ? nobody.with("Accept", accept) : nobody).get(one.address);
            EXPECT_EQ(answer.status, one.redirected) << one.address << " " << accept;
            EXPECT_EQ(answer.header("Location"), url(one.page)) << accept;
            EXPECT_TRUE(answer.header("Vary").starts_with("Accept")) << accept;
        }
    }
}

// Whoever is quicker than the job that makes keys waits for one, and the job makes no other.
TEST_P(Negotiation, of_somebody_who_has_just_come_finds_their_key) {
    auto alice = w.local("alice");
    w.write([&](db::Write& db) { db.run(test_lose_key, base::AccountId{std::stoll(alice.id)}); });
    w.changed();
    auto key = peer.get(actor(alice))["publicKey.publicKeyPem"];
    EXPECT_EQ(key.find("-----BEGIN PUBLIC KEY-----"), 0u) << key;
    EXPECT_NE(w.changed().find("actor_keys +1"), std::string::npos);
    w.run_jobs();
    EXPECT_EQ(w.changed().find("actor_keys"), std::string::npos);
    EXPECT_EQ(peer.get(actor(alice))["publicKey.publicKeyPem"], key);
}

TEST_P(Negotiation, is_not_needed_for_what_only_machines_read) {
    auto alice = w.local("alice");
    auto id = alice.status("hello");
    auto status = post(alice, id);
    for (const auto& address :
         {std::string("/actor"),
          std::string("/actor/outbox"),
          actor(alice) + "/outbox",
          actor(alice) + "/outbox?page=true",
          actor(alice) + "/followers",
          actor(alice) + "/followers?page=1",
          actor(alice) + "/following",
          actor(alice) + "/collections/featured",
          actor(alice) + "/collections/tags",
          status + "/activity",
          status + "/replies",
          status + "/replies?page=true",
          status + "/likes",
          status + "/shares",
          "/contexts/" + alice.id + "-" + id,
          "/contexts/" + alice.id + "-" + id + "/items?page=true"})
        for (const auto& whoever : {nobody, browser, peer}) {
            auto answer = whoever.get(address);
            EXPECT_EQ(answer.status, 200) << address;
            EXPECT_EQ(answer.header("Content-Type"), stage::activity_type) << address;
            EXPECT_NE(answer["@context"], "absent") << address;
            auto at = address.find('?');
            EXPECT_EQ(answer["id"].substr(0, url(address.substr(0, at)).size()), url(address.substr(0, at)));
        }
}

TEST_P(Negotiation, finds_nothing_where_nothing_is) {
    auto alice = w.local("alice"), bob = w.local("bob");
    auto id = alice.status("hello");
    w.unconfirmed("mallory");
    for (const auto& address :
         {std::string("/ap/users/1"),
          std::string("/ap/users/x"),
          std::string("/users/nobody"),
          std::string("/users/mallory"),
          post(bob, id),
          post(alice, "1"),
          post(alice, "x"),
          post(bob, id) + "/activity",
          "/contexts/" + bob.id + "-" + id,
          std::string("/contexts/x"),
          std::string("/emojis/1"),
          actor(alice) + "/quote_authorizations/1"}) {
        auto answer = peer.get(address);
        EXPECT_EQ(answer.status, 404) << address;
        EXPECT_EQ(answer.header("Content-Type"), "application/json; charset=utf-8") << address;
        EXPECT_NE(answer.error(), "absent") << address;
        EXPECT_EQ(answer.header("Cache-Control"), "private, no-store") << address;
    }
}

TEST_P(Negotiation, of_a_suspended_account_leaves_only_the_actor) {
    auto alice = w.local("alice");
    alice.patch("/api/v1/accounts/update_credentials", {{"display_name", "Alice"}, {"note", "secret"}});
    auto id = alice.status("hello");
    w.suspend(alice);
    auto document = peer.get(actor(alice));
    EXPECT_EQ(document.status, 200);
    EXPECT_EQ(document["suspended"], "true");
    EXPECT_EQ(document["name"], "alice");
    EXPECT_EQ(document["summary"], "");
    EXPECT_EQ(document["publicKey.id"], url(actor(alice)) + "#main-key");
    EXPECT_EQ(peer.get(actor(alice) + "/outbox").status, 403);
    EXPECT_EQ(peer.get(actor(alice) + "/followers").status, 403);
    EXPECT_EQ(peer.get(actor(alice) + "/collections/featured").status, 403);
    EXPECT_EQ(peer.get(post(alice, id)).status, 403);
}

}  // namespace

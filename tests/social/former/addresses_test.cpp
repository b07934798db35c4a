// SPDX-License-Identifier: AGPL-3.0-or-later
// Addresses of the server of before, as other servers and browsers ask for them.
#include "social/former/stage.hpp"

#include <gmock/gmock.h>

const db::Command test_ed25519{
    "test_ed25519",
    R"(INSERT INTO actor_keys (id, account_id, type, public_key, private_key, created_at)
       VALUES ($1, $2, 'ed25519', $3, 'unused', 1))"
};
const db::Command test_server_key{
    "test_server_key",
    R"(INSERT INTO actor_keys (id, account_id, type, public_key, private_key, created_at)
       VALUES ($1, 0, 'rsa', $2, $3, 1))"
};

namespace {

using namespace former_test;
using testing::HasSubstr, testing::IsEmpty, testing::Not;

struct FormerAddresses : TookOver {};
ON_EACH_DATABASE(FormerAddresses);

// As GoToSocial has them.
TEST_P(FormerAddresses, of_actors_and_their_keys_answer_with_the_ids_and_keys_of_before) {
    auto alice = w.local("alice");
    name(alice, "/users/alice", "/main-key");
    for (auto path : {std::string("/users/alice"), std::string("/users/alice/main-key"), actor(alice)}) {
        auto got = peer.get(path);
        ASSERT_EQ(got.status, 200) << path;
        EXPECT_EQ(got["id"], url("/users/alice"));
        EXPECT_EQ(got["publicKey.id"], url("/users/alice/main-key"));
        EXPECT_EQ(got["publicKey.owner"], url("/users/alice"));
        EXPECT_EQ(got["inbox"], url("/users/alice/inbox"));
        EXPECT_EQ(got["followers"], url("/users/alice/followers"));
        EXPECT_EQ(got["assertionMethod"], "absent");
    }
    EXPECT_EQ(nobody.get("/users/alice/main-key").status, 301);  // a browser is led to the page
    EXPECT_EQ(peer.get("/users/bob/main-key").status, 404);
    EXPECT_EQ(peer.get("/users/alice/second-key").status, 404);
}

TEST_P(FormerAddresses, of_posts_answer_and_so_does_what_is_below_them) {
    auto alice = w.local("alice"), bob = w.local("bob");
    name(alice, "/users/alice", "/main-key");
    auto id = alice.status("hello");
    auto answer = bob.answers(id, "hi");
    const std::string path = std::string("/users/alice/statuses/") + ulid;
    name(id, path, ulid);
    auto note = peer.get(path);
    ASSERT_EQ(note.status, 200);
    EXPECT_EQ(note["id"], url(path));
    EXPECT_EQ(note["replies.id"], url(path + "/replies"));
    EXPECT_EQ(peer.get(path + "/activity")["object.id"], url(path));
    EXPECT_EQ(peer.get(path + "/activity")["id"], url(path + "/activity"));
    EXPECT_EQ(peer.get(path + "/replies")["id"], url(path + "/replies"));
    EXPECT_THAT(
        peer.get(path + "/replies?page=true&only_other_accounts=true").body, HasSubstr(url(post(bob, answer)))
    );
    EXPECT_EQ(peer.get(path + "/likes")["id"], url(path + "/likes"));
    EXPECT_EQ(peer.get(path + "/shares")["id"], url(path + "/shares"));
    EXPECT_EQ(peer.get(path + "/nothing").status, 404);
    EXPECT_EQ(peer.get("/users/alice/statuses/01HQ5Y3ZK8W9V6T4R2P0N8M6J5").status, 404);
    EXPECT_EQ(peer.get("/users/bob" + path.substr(12)).status, 404);
    // Under its number it is the same.
    EXPECT_EQ(peer.get(post(alice, id))["id"], url(path));
    // Who answers it names it as it is known.
    EXPECT_EQ(peer.get(post(bob, answer))["inReplyTo"], url(path));

    EXPECT_EQ(alice.del("/api/v1/statuses/" + id).status, 200);
    auto gone = peer.get(path);
    EXPECT_EQ(gone.status, 410);
    EXPECT_EQ(gone["type"], "Tombstone");
    EXPECT_EQ(gone["id"], url(path));
}

TEST_P(FormerAddresses, tell_nobody_what_not_everybody_may_read) {
    auto alice = w.local("alice");
    name(alice, "/users/alice", "/main-key");
    auto id = alice.status("for few", {{"visibility", "private"}});
    name(id, "/objects/" + std::string(uuid), flake);
    for (auto path :
         {"/objects/" + std::string(uuid),
          "/objects/" + std::string(uuid) + "/activity",
          "/notice/" + std::string(flake)}) {
        EXPECT_EQ(peer.get(path).status, 404) << path;
        EXPECT_EQ(browser.get(path).status, 404) << path;
    }
}

// As Pleroma has them: objects, activities, flakes.
TEST_P(FormerAddresses, of_objects_and_activities_answer) {
    auto alice = w.local("alice"), bob = w.local("bob");
    name(alice, "/users/alice", "#main-key");
    auto id = bob.status("hello"), own = alice.status("mine");
    auto boost = alice.reblogs(id);
    const std::string object = "/objects/" + std::string(uuid),
                      announce = "/activities/1" + std::string(uuid).substr(1);
    const std::string create = "/activities/2" + std::string(uuid).substr(1);
    name(own, object, flake);
    name(boost, announce);
    path(create, "activity", std::stoll(own));
    EXPECT_EQ(peer.get(object)["type"], "Note");
    EXPECT_EQ(peer.get(create)["type"], "Create");
    EXPECT_EQ(peer.get(create)["object.id"], url(object));
    auto told = peer.get(announce);
    EXPECT_EQ(told["type"], "Announce");
    EXPECT_EQ(told["id"], url(announce));
    EXPECT_EQ(told["object"], url(post(bob, id)));
    EXPECT_EQ(peer.get("/notice/" + std::string(flake))["id"], url(object));
    EXPECT_EQ(peer.get("/objects/" + std::string(uuid) + "0").status, 404);
    EXPECT_EQ(peer.get(object).header("Content-Type"), stage::activity_type);
}

// As Hollo has them: everything below /@name.
TEST_P(FormerAddresses, below_the_page_of_somebody_answer) {
    auto alice = w.local("alice");
    name(alice, "/@alice", "#main-key");
    auto id = alice.status("hello");
    name(id, "/@alice/" + std::string(uuid), uuid);
    EXPECT_EQ(peer.get("/@alice")["id"], url("/@alice"));
    EXPECT_EQ(peer.get("/@alice")["publicKey.id"], url("/@alice#main-key"));
    EXPECT_EQ(peer.get("/@alice/" + std::string(uuid))["id"], url("/@alice/" + std::string(uuid)));
    EXPECT_EQ(peer.get("/%40alice/" + std::string(uuid))["id"], url("/@alice/" + std::string(uuid)));
    EXPECT_EQ(peer.get("/@alice/outbox")["id"], url("/@alice/outbox"));
    EXPECT_EQ(peer.get("/@alice/followers")["id"], url("/@alice/followers"));
    EXPECT_EQ(peer.get("/@alice/" + id)["id"], url("/@alice/" + std::string(uuid)));
    EXPECT_EQ(browser.get("/@alice/followers").header("Content-Type"), "text/html; charset=utf-8");

    auto bob = w.local("bob");
    auto boost = alice.reblogs(bob.status("boosted"));
    const std::string announce = "/@alice/1" + std::string(uuid).substr(1);
    name(boost, announce);
    EXPECT_EQ(peer.get(announce)["type"], "Announce");
    EXPECT_EQ(peer.get(announce)["id"], url(announce));
}

TEST_P(FormerAddresses, of_pages_lead_to_the_pages_of_now_for_good) {
    auto alice = w.local("alice");
    name(alice, "/users/alice", "/main-key");
    auto id = alice.status("hello");
    name(id, std::string("/users/alice/statuses/") + ulid, ulid);
    w.write([&](db::Write& db) {
        db.run(test_former_id, "status", flake, remote::status(id));
        db.run(test_former_id, "status", uuid, remote::status(id));
    });
    path("/about/more", "page", 0, "/about");
    for (auto page :
         {std::string("/@alice/statuses/") + ulid,
          std::string("/@alice/") + uuid,
          std::string("/notice/") + flake,
          std::string("/notice/") + flake + "/",
          std::string("/post/") + uuid,
          std::string("/@alice/posts/") + flake}) {
        auto led = browser.get(page);
        EXPECT_EQ(led.status, 301) << page;
        EXPECT_EQ(led.header("Location"), url("/@alice/" + id)) << page;
    }
    EXPECT_EQ(browser.get("/alice").status, 301);
    EXPECT_EQ(browser.get("/alice").header("Location"), url("/@alice"));
    EXPECT_EQ(browser.get("/about/more").header("Location"), "/about");
    for (auto nothing : {"/nobody", "/notice/none", "/@alice/statuses/none", "/x/y/z"})
        EXPECT_EQ(browser.get(nothing).status, 404) << nothing;
}

TEST_P(FormerAddresses, of_files_lead_to_the_files) {
    path("/fileserver/a b.png", "file", 0, "former/other/1.png");
    auto renamed = nobody.get("/fileserver/a b.png");
    EXPECT_EQ(renamed.status, 301);
    EXPECT_EQ(renamed.header("Location"), url("/media/former/other/1.png"));
    for (std::string kept :
         {"/system/media_attachments/files/109/original/1.png",
          "/fileserver/01A/attachment/original/01B.jpg",
          "/emoji/pack/blob.png",
          "/assets/avatars/alice.png"})
        EXPECT_EQ(nobody.get(kept).header("Location"), url("/media/former" + kept));
}

TEST_P(FormerAddresses, of_the_server_itself_answer_with_its_key_of_before) {
    for (std::string server : {"/users/social.example.test", "/relay", "/internal/fetch"}) {
        const std::string key = server.starts_with("/users") ? "/main-key" : "#main-key";
        path(server, "account", 0);
        w.write([&](db::Write& db) {
            db.run(test_server_key, url(server + key), "the public key of " + server, "unused");
        });
        auto got = peer.get(server);
        ASSERT_EQ(got.status, 200) << server;
        EXPECT_EQ(got["id"], url(server));
        EXPECT_EQ(got["type"], "Application");
        EXPECT_EQ(got["publicKey.id"], url(server + key));
        EXPECT_EQ(got["publicKey.owner"], url(server));
        EXPECT_EQ(got["publicKey.publicKeyPem"], "the public key of " + server);
        EXPECT_EQ(got["inbox"], url(server + "/inbox"));
    }
    EXPECT_EQ(peer.get("/users/social.example.test/main-key")["id"], url("/users/social.example.test"));
    EXPECT_EQ(peer.get("/actor")["publicKey.id"], url("/actor#main-key"));
    EXPECT_EQ(peer.get("/users/other.example.test").status, 404);
}

TEST_P(FormerAddresses, show_keys_of_the_other_kind_beside_the_one_that_signs) {
    auto alice = w.local("alice");
    name(alice, "/users/alice", "#main-key");
    const std::string multikey = "z6MkehRgf7yJbgaGfYsdoAsKdBPE3dj2CYhowQdcjqSJgvVd";
    w.write([&](db::Write& db) {
        db.run(test_ed25519, url("/users/alice#ed25519-key"), remote::number(alice), multikey);
    });
    auto got = peer.get("/users/alice");
    EXPECT_EQ(got["publicKey.id"], url("/users/alice#main-key"));
    EXPECT_EQ(got["assertionMethod.0.id"], url("/users/alice#ed25519-key"));
    EXPECT_EQ(got["assertionMethod.0.type"], "Multikey");
    EXPECT_EQ(got["assertionMethod.0.controller"], url("/users/alice"));
    EXPECT_EQ(got["assertionMethod.0.publicKeyMultibase"], multikey);
    EXPECT_THAT(got.body, HasSubstr("https://w3id.org/security#Multikey"));
    auto key = w.read([&](db::Read& db) { return federation::signing_key(db, remote::number(alice)); });
    EXPECT_EQ(key.id, url("/users/alice#main-key"));
}

TEST_P(FormerAddresses, are_not_looked_for_where_nothing_was_taken_over) {
    auto alice = w.local("alice");
    auto id = alice.status("hello");
    name(id, "/objects/" + std::string(uuid), flake);
    path("/old", "page", 0, "/about");
    former::use_past({});
    w.queries();
    for (auto other :
         {"/objects/" + std::string(uuid),
          "/notice/" + std::string(flake),
          std::string("/old"),
          std::string("/alice")})
        EXPECT_EQ(peer.get(other).status, 404) << other;
    EXPECT_EQ(w.queries(), 0);
}

TEST_P(FormerAddresses, cost_as_many_questions_as_there_may_be_however_long_they_are) {
    w.queries();
    EXPECT_EQ(peer.get("/objects/" + std::string(uuid)).status, 404);
    const auto few = w.queries();
    std::string deep;
    for (int i = 0; i < 200; ++i) deep += "/x";
    EXPECT_EQ(peer.get(deep).status, 404);
    EXPECT_EQ(w.queries(), few);
    EXPECT_EQ(peer.get("/" + std::string(7000, 'x')).status, 404);
}

}  // namespace

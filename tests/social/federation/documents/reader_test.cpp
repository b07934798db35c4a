// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/stage.hpp"
#include "social/instance/domain_allow.hpp"
#include "social/instance/domain_block.hpp"
#include "social/instance/federation_mode.hpp"

namespace {

const db::Command test_handle_elsewhere{
    "test_handle_elsewhere", "UPDATE accounts SET domain = $2 WHERE id = $1"
};

struct Reading : stage::Federated {
    void mode(const instance::FederationMode& mode) {
        w.write([&](db::Write& db) { instance::set_federation_mode(db, mode); });
    }
};
ON_EACH_DATABASE(Reading);

TEST_P(Reading, shows_the_servers_of_followers_what_is_for_followers) {
    auto alice = w.local("alice");
    auto bob = stranger("bob", "b.test"), neighbour = stranger("nell", "b.test"),
         mallory = stranger("mal", "m.test");
    follow(bob, alice);
    auto closed = alice.status("for followers", {{"visibility", "private"}});
    for (const auto& who : {bob, neighbour}) {
        auto answer = get(who, post(alice, closed));
        EXPECT_EQ(answer.status, 200) << who.id;
        EXPECT_EQ(answer["content"], "<p>for followers</p>");
        EXPECT_EQ(answer.header("Cache-Control"), "private, no-store");
        EXPECT_TRUE(answer.header("Vary").starts_with("Accept, Signature"));
    }
    EXPECT_EQ(get(mallory, post(alice, closed)).status, 404);
    EXPECT_EQ(peer.get(post(alice, closed)).status, 404);
    EXPECT_EQ(
        get(bob, actor(alice) + "/outbox?page=true")["orderedItems.0.object.id"], url(post(alice, closed))
    );
    EXPECT_EQ(get(mallory, actor(alice) + "/outbox?page=true")["orderedItems.0"], "absent");
    auto psst = alice.status("@nobody psst", {{"visibility", "direct"}});
    auto ours = alice.status("for us", {{"local_only", "true"}});
    for (const auto& id : {psst, ours}) EXPECT_EQ(get(bob, post(alice, id)).status, 404);
    EXPECT_EQ(get(bob, actor(alice) + "/outbox?page=true").body.find(ours), std::string::npos);
}

TEST_P(Reading, fills_the_pages_of_an_outbox_though_much_is_for_this_site_alone) {
    auto alice = w.local("alice");
    auto bob = stranger("bob", "b.test");
    auto open = alice.status("for all");
    for (int i = 0; i < 25; ++i) alice.status("for us", {{"local_only", "true"}});
    EXPECT_EQ(
        get(bob, actor(alice) + "/outbox?page=true")["orderedItems.0.object.id"], url(post(alice, open))
    );
}

TEST_P(Reading, shows_pinned_posts_for_followers_to_their_servers_alone) {
    auto alice = w.local("alice");
    auto bob = stranger("bob", "b.test"), mallory = stranger("mal", "m.test");
    follow(bob, alice);
    auto closed = alice.status("for followers", {{"visibility", "private"}});
    EXPECT_EQ(alice.post("/api/v1/statuses/" + closed + "/pin").status, 200);
    auto featured = actor(alice) + "/collections/featured";
    EXPECT_EQ(get(bob, featured)["orderedItems.0.content"], "<p>for followers</p>");
    for (const auto& answer : {get(mallory, featured), peer.get(featured)}) {
        EXPECT_EQ(answer["totalItems"], "0");
        EXPECT_EQ(answer["orderedItems"], "[]");
    }
}

TEST_P(Reading, hides_from_those_whom_the_author_blocks) {
    auto alice = w.local("alice");
    auto bob = stranger("bob", "b.test"), carol = stranger("carol", "c.test");
    auto open = alice.status("open");
    EXPECT_EQ(alice.post("/api/v1/statuses/" + open + "/pin").status, 200);
    EXPECT_EQ(alice.post("/api/v1/accounts/" + std::to_string(bob.account.value) + "/block").status, 200);
    // Whose handles are of another domain than the address of their server.
    auto dan = stranger("dan", "web.d.test");
    w.write([&](db::Write& db) { db.run(test_handle_elsewhere, dan.account, "d.test"); });
    for (const std::string domain : {"c.test", "d.test"})
        EXPECT_EQ(alice.post("/api/v1/domain_blocks", {{"domain", domain}}).status, 200);
    for (const auto& who : {bob, carol, dan}) {
        EXPECT_EQ(get(who, post(alice, open)).status, 404) << who.id;
        EXPECT_EQ(get(who, actor(alice) + "/collections/featured")["orderedItems"], "[]") << who.id;
        EXPECT_EQ(get(who, actor(alice) + "/outbox?page=true")["orderedItems"], "[]") << who.id;
        EXPECT_EQ(get(who, actor(alice)).status, 200) << who.id;
    }
}

TEST_P(Reading, may_be_another_thing_for_who_signs_as_caches_are_told) {
    auto alice = w.local("alice");
    auto id = alice.status("open");
    for (const auto& path :
         {actor(alice),
          post(alice, id),
          post(alice, id) + "/replies",
          actor(alice) + "/outbox?page=true",
          actor(alice) + "/collections/featured"}) {
        auto answer = peer.get(path);
        EXPECT_TRUE(answer.header("Vary").starts_with("Accept, Signature")) << path;
        EXPECT_EQ(answer.header("Cache-Control"), "max-age=180, public") << path;
    }
}

TEST_P(Reading, must_be_signed_where_the_site_says_so) {
    auto alice = w.local("alice");
    auto bob = stranger("bob", "b.test");
    auto id = alice.status("open");
    mode({true, false, {}});
    for (const auto& path :
         {actor(alice),
          "/users/" + alice.name,
          "/@" + alice.name,
          post(alice, id),
          "/@" + alice.name + "/" + id,
          post(alice, id) + "/activity",
          post(alice, id) + "/replies",
          actor(alice) + "/outbox?page=true",
          actor(alice) + "/followers",
          actor(alice) + "/collections/featured",
          "/contexts/" + alice.id + "-" + id}) {
        auto refused = peer.get(path);
        EXPECT_EQ(refused.status, 401) << path;
        EXPECT_NE(refused.error(), "absent") << path;
        auto answer = get(bob, path);
        EXPECT_EQ(answer.status, 200) << path;
        EXPECT_TRUE(answer.header("Vary").starts_with("Accept, Signature")) << path;
        EXPECT_EQ(answer.header("Cache-Control"), "private, no-store") << path;
    }
    for (auto path : {"/actor", "/.well-known/host-meta", "/.well-known/nodeinfo", "/nodeinfo/2.0"})
        EXPECT_EQ(peer.get(path).status, 200) << path;
    EXPECT_EQ(peer.get("/.well-known/webfinger?resource=acct:alice@example.test").status, 200);
    EXPECT_EQ(browser.get("/@" + alice.name).status, 200);
}

TEST_P(Reading, with_a_signature_that_does_not_hold_is_reading_without) {
    auto alice = w.local("alice");
    auto bob = stranger("bob", "b.test");
    follow(bob, alice);
    auto closed = alice.status("for followers", {{"visibility", "private"}}), open = alice.status("open");
    auto forged = peer.with("Signature", "keyId=\"" + bob.id + "#main-key\",signature=\"AAAA\"");
    EXPECT_EQ(forged.get(post(alice, open)).status, 200);
    EXPECT_EQ(forged.get(post(alice, closed)).status, 404);
    mode({true, false, {}});
    EXPECT_EQ(forged.get(post(alice, open)).status, 401);
}

TEST_P(Reading, is_for_allowed_servers_alone_where_federation_is_limited) {
    auto alice = w.local("alice");
    auto bob = stranger("bob", "sub.b.test"), mallory = stranger("mal", "notb.test");
    mode({false, true, {"B.test"}});
    EXPECT_EQ(peer.get(actor(alice)).status, 401);
    EXPECT_EQ(get(mallory, actor(alice)).status, 403);
    EXPECT_EQ(get(bob, actor(alice)).status, 200);
    w.write([](db::Write& db) { instance::allow_domain(db, "notb.test"); });
    EXPECT_EQ(get(mallory, actor(alice)).status, 200);
    EXPECT_EQ(nobody.get("/api/v2/instance")["configuration.limited_federation"], "true");
}

TEST_P(Reading, is_refused_to_servers_that_are_blocked) {
    auto alice = w.local("alice");
    auto mallory = stranger("mal", "sub.m.test");
    EXPECT_EQ(get(mallory, actor(alice)).status, 200);
    w.write([](db::Write& db) { instance::put_domain_block(db, {"m.test", instance::Severity::suspend}); });
    EXPECT_EQ(get(mallory, actor(alice)).status, 403);
}

TEST_P(Reading, of_followers_for_synchronization_tells_each_server_of_its_own) {
    auto alice = w.local("alice");
    auto bob = stranger("bob", "b.test"), other = stranger("bob", "b.test.evil.test");
    follow(bob, alice);
    follow(other, alice);
    auto path = actor(alice) + "/followers_synchronization";
    EXPECT_EQ(peer.get(path).status, 401);
    auto answer = get(bob, path);
    EXPECT_EQ(answer["type"], "OrderedCollection");
    EXPECT_EQ(answer["orderedItems"], "[\"" + bob.id + "\"]");
    EXPECT_EQ(answer.header("Cache-Control"), "private, no-store");
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/stage.hpp"

namespace {

struct Unsigned : stage::Federated {};
ON_EACH_DATABASE(Unsigned);

TEST_P(Unsigned, readers_see_only_what_is_for_everybody_and_for_elsewhere) {
    auto alice = w.local("alice"), bob = w.local("bob");
    auto open = alice.status("open"), quiet = alice.status("quiet", {{"visibility", "unlisted"}});
    auto boost = alice.reblogs(bob.status("of bob"));
    std::vector<std::string> hidden{
        alice.status("for followers", {{"visibility", "private"}}),
        alice.status("@bob psst", {{"visibility", "direct"}}),
        alice.status("for us", {{"local_only", "true"}}),
    };
    for (const auto& id : {open, quiet, boost})
        EXPECT_EQ(peer.get(post(alice, id) + "/activity").status, 200) << id;
    for (const auto& id : hidden)
        for (auto rest : {"", "/activity", "/replies", "/likes", "/shares"}) {
            auto answer = peer.get(post(alice, id) + rest);
            EXPECT_EQ(answer.status, 404) << rest;
            EXPECT_EQ(browser.get(post(alice, id) + rest).status, 404) << rest;
        }
    for (const auto& id : hidden) EXPECT_EQ(peer.get("/contexts/" + alice.id + "-" + id).status, 404) << id;
    auto page = peer.get(actor(alice) + "/outbox?page=true");
    EXPECT_EQ(page["orderedItems.0.type"], "Announce");
    EXPECT_EQ(page["orderedItems.1.object.id"], url(post(alice, quiet)));
    EXPECT_EQ(page["orderedItems.2.object.id"], url(post(alice, open)));
    EXPECT_EQ(page["orderedItems.3"], "absent");
}

TEST_P(Unsigned, readers_find_open_answers_only) {
    auto alice = w.local("alice"), bob = w.local("bob");
    auto id = alice.status("begins");
    auto own = alice.answers(id, "goes on"), other = bob.answers(id, "answers");
    alice.answers(id, "quietly", {{"visibility", "private"}});
    bob.answers(id, "for us", {{"local_only", "true"}});
    auto all = peer.get(post(alice, id) + "/replies");
    EXPECT_EQ(all["first.items.0.id"], url(post(alice, own)));
    EXPECT_EQ(all["first.items.1"], "absent");
    EXPECT_EQ(all["first.next"], url(post(alice, id)) + "/replies?only_other_accounts=true&page=true");
    auto others = peer.get(post(alice, id) + "/replies?only_other_accounts=true&page=true");
    EXPECT_EQ(others["items.0"], url(post(bob, other)));
    EXPECT_EQ(others["items.1"], "absent");
    EXPECT_EQ(others["next"], "absent");
    auto thread = peer.get("/contexts/" + alice.id + "-" + id);
    EXPECT_EQ(thread["attributedTo"], url(actor(alice)));
    EXPECT_EQ(thread["first.items.0"], url(post(alice, id)));
    EXPECT_EQ(thread["first.items.1"], url(post(alice, own)));
    EXPECT_EQ(thread["first.items.2"], url(post(bob, other)));
    EXPECT_EQ(thread["first.items.3"], "absent");
    EXPECT_EQ(peer.get(post(bob, other))["context"], thread["id"]);
}

TEST_P(Unsigned, readers_learn_of_a_hidden_network_only_its_size) {
    auto alice = w.local("alice"), bob = w.local("bob");
    bob.follows(alice);
    auto followers = peer.get(actor(alice) + "/followers");
    EXPECT_EQ(followers["totalItems"], "1");
    EXPECT_EQ(followers["first"], url(actor(alice)) + "/followers?page=1");
    auto page = peer.get(actor(alice) + "/followers?page=1");
    EXPECT_EQ(page["orderedItems.0"], url(actor(bob)));
    EXPECT_EQ(page["partOf"], url(actor(alice)) + "/followers");
    EXPECT_EQ(peer.get(actor(bob) + "/following?page=1")["orderedItems.0"], url(actor(alice)));
    alice.patch("/api/v1/accounts/update_credentials", {{"hide_collections", "true"}});
    followers = peer.get(actor(alice) + "/followers");
    EXPECT_EQ(followers["totalItems"], "1");
    EXPECT_EQ(followers["first"], "absent");
    EXPECT_EQ(peer.get(actor(alice) + "/followers?page=1").status, 403);
    EXPECT_EQ(peer.get(actor(alice) + "/following?page=1").status, 403);
}

TEST_P(Unsigned, readers_come_through_all_followers_by_links_and_back) {
    auto alice = w.local("alice");
    std::vector<std::string> expected;
    for (int i = 0; i < 40; ++i) {
        auto who = w.local("p" + std::to_string(i));
        who.follows(alice);
        expected.insert(expected.begin(), url(actor(who)));
    }
    auto path_of = [](const std::string& address) { return address.substr(url("").size()); };
    auto items = [](const Answer& page) {
        std::vector<std::string> out;
        for (int i = 0; page["orderedItems." + std::to_string(i)] != "absent"; ++i)
            out.push_back(page["orderedItems." + std::to_string(i)]);
        return out;
    };
    for (std::string direction : {"next", "prev"}) {
        std::vector<std::string> seen;
        auto start = actor(alice) + "/followers?page=" + (direction == "next" ? "1" : "4");
        for (auto path = start;;) {
            auto page = peer.get(path);
            EXPECT_EQ(page["id"], url(path));
            auto some = items(page);
            seen.insert(direction == "next" ? seen.end() : seen.begin(), some.begin(), some.end());
            if (page[direction] == "absent") break;
            path = path_of(page[direction]);
        }
        EXPECT_EQ(seen, expected) << direction;
    }
    // Who follows since, or no more, moves nobody from one page to another.
    auto second = path_of(peer.get(actor(alice) + "/followers?page=1")["next"]);
    auto before = items(peer.get(second));
    w.local("late").follows(alice);
    EXPECT_EQ(items(peer.get(second)), before);
    EXPECT_EQ(items(peer.get(actor(alice) + "/followers?page=4")).size(), 5u);
    EXPECT_EQ(peer.get(actor(alice) + "/followers?page=101").status, 404);
    EXPECT_EQ(peer.get(actor(alice) + "/followers?page=0")["id"], url(actor(alice)) + "/followers?page=1");
}

TEST_P(Unsigned, readers_see_pinned_posts_but_not_that_there_are_private_ones) {
    auto alice = w.local("alice");
    auto open = alice.status("open"), closed = alice.status("closed", {{"visibility", "private"}});
    for (const auto& id : {open, closed})
        EXPECT_EQ(alice.post("/api/v1/statuses/" + id + "/pin").status, 200);
    auto featured = peer.get(actor(alice) + "/collections/featured");
    EXPECT_EQ(featured["totalItems"], "1");
    EXPECT_EQ(featured["orderedItems.0.content"], "<p>open</p>");
    EXPECT_EQ(featured["orderedItems.1"], "absent");
    EXPECT_EQ(featured.body.find(closed), featured.body.npos);
}

TEST_P(Unsigned, readers_may_check_authorizations_of_quotes_while_they_hold) {
    auto alice = w.local("alice"), bob = w.local("bob");
    auto quoted = alice.status("to be quoted");
    auto quoting = bob.status("look", {{"quoted_status_id", quoted}});
    auto note = peer.get(post(bob, quoting));
    auto authorization = note["quoteAuthorization"];
    EXPECT_EQ(note["quote"], url(post(alice, quoted)));
    EXPECT_EQ(note["quoteUri"], url(post(alice, quoted)));
    EXPECT_EQ(note["_misskey_quote"], url(post(alice, quoted)));
    ASSERT_TRUE(authorization.starts_with(url(actor(alice)) + "/quote_authorizations/"));
    auto path = authorization.substr(std::string(stage::base_url).size());
    auto told = peer.get(path);
    EXPECT_EQ(told["type"], "QuoteAuthorization");
    EXPECT_EQ(told["id"], authorization);
    EXPECT_EQ(told["attributedTo"], url(actor(alice)));
    EXPECT_EQ(told["interactingObject"], url(post(bob, quoting)));
    EXPECT_EQ(told["interactionTarget"], url(post(alice, quoted)));
    EXPECT_EQ(alice.post("/api/v1/statuses/" + quoted + "/quotes/" + quoting + "/revoke").status, 200);
    EXPECT_EQ(peer.get(path).status, 404);
    EXPECT_EQ(peer.get(post(bob, quoting))["quoteAuthorization"], "absent");
}

TEST_P(Unsigned, readers_page_through_the_outbox) {
    auto alice = w.local("alice");
    std::vector<std::string> ids;
    for (int i = 0; i < 23; ++i) ids.push_back(alice.status("post " + std::to_string(i)));
    auto whole = peer.get(actor(alice) + "/outbox");
    EXPECT_EQ(whole["totalItems"], "23");
    auto path = [](const std::string& address) {
        return address.substr(std::string(stage::base_url).size());
    };
    auto first = peer.get(path(whole["first"]));
    EXPECT_EQ(first["orderedItems.0.object.id"], url(post(alice, ids[22])));
    EXPECT_EQ(first["orderedItems.19.object.id"], url(post(alice, ids[3])));
    auto second = peer.get(path(first["next"]));
    EXPECT_EQ(second["orderedItems.2.object.id"], url(post(alice, ids[0])));
    EXPECT_EQ(second["orderedItems.3"], "absent");
    auto last = peer.get(path(whole["last"]));
    EXPECT_EQ(last["orderedItems.19.object.id"], url(post(alice, ids[0])));
}

}  // namespace

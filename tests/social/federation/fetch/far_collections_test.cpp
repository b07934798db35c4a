// SPDX-License-Identifier: AGPL-3.0-or-later
// Collections of other servers (FEP-7aa9): read when somebody looks at them, believed where those in them agreed.
#include "social/federation/featured_stage.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty, testing::SizeIs;

struct FarCollections : stage::FeaturedStage {
    const std::string list = "https://far.example/users/bob/featured_collections";
    Peer nat = Peer(w, "nat", "third.example").known();
    const std::string authorization_of_nat = "https://third.example/stamps/1";

    void serve_list(const std::string& items, const std::string& more = "") {
        elsewhere::serve(
            list,
            R"({"@context":"https://www.w3.org/ns/activitystreams","type":"Collection","id":")" + list +
                R"(","items":[)" + items + "]" + more + "}"
        );
    }
    std::vector<std::string> listed(const Person& who) {
        return Answer{
            200, who.get("/api/v1/accounts/" + text(bob.id) + "/collections")["collections"], {}
        }.ids();
    }
    std::vector<std::string> members(const Person& who, const std::string& id) {
        return Answer{200, who.get("/api/v1/collections/" + id)["collection.items"], {}}.all("account_id");
    }
    // Bob's collection with nat in it, who agreed; known here because alice looked at it.
    std::string looked_at(const std::string& items) {
        serve_authorization(authorization_of_nat, far, nat.uri);
        serve_list(collection_json(far, bob.uri, items));
        auto found = listed(alice);
        w.run_jobs();
        EXPECT_THAT(found, SizeIs(1));
        return found.empty() ? "" : found[0];
    }
    std::string nats_item(const std::string& number = "1") {
        return item(far + "/items/" + number, nat.uri, authorization_of_nat);
    }
    std::string change(
        const std::string& type, const std::string& object, const std::string& number,
        const std::string& target
    ) {
        return bob.activity(type, object, number, R"(,"target":")" + target + "\"");
    }
};
ON_EACH_DATABASE(FarCollections);

TEST_P(FarCollections, are_fetched_when_somebody_looks_and_shown_like_ours) {
    serve_authorization(authorization_of_nat, far, nat.uri);
    serve_list(collection_json(far, bob.uri, nats_item()));
    w.anonymous().get("/api/v1/accounts/" + text(bob.id) + "/collections");
    EXPECT_EQ(elsewhere::asked(list), 0);  // nobody is asked for strangers
    auto id = looked_at(nats_item());
    auto shown = alice.get("/api/v1/collections/" + id);
    EXPECT_EQ(shown["collection.uri"], far);
    EXPECT_EQ(shown["collection.name"], "Far friends");
    EXPECT_EQ(shown["collection.description"], "<p>Good people</p>");
    EXPECT_EQ(shown["collection.local"], "false");
    EXPECT_EQ(shown["collection.item_count"], "1");
    EXPECT_THAT((Answer{200, shown["accounts"], {}}.ids()), ElementsAre(text(bob.id), text(nat.id)));
    // Not again within the hour, and then once.
    auto before = elsewhere::asked(list);
    listed(alice), w.run_jobs();
    EXPECT_EQ(elsewhere::asked(list), before);
    w.advance(3700);
    listed(alice), listed(carol), w.run_jobs();
    EXPECT_EQ(elsewhere::asked(list), before + 1);
    EXPECT_EQ(alice.patch("/api/v1/collections/" + id, {{"name", "mine"}}).status, 403);
}

TEST_P(FarCollections, that_are_not_to_be_discovered_are_not_listed) {
    serve_list(
        R"({"type":"FeaturedCollection","id":")" + far + R"(","name":"x","attributedTo":")" + bob.uri +
        R"(","discoverable":false,"orderedItems":[]})"
    );
    EXPECT_THAT(listed(alice), IsEmpty());
    EXPECT_NE(known(far), "");
}

TEST_P(FarCollections, that_claim_a_consent_they_do_not_have_show_nobody) {
    Peer eve(w, "eve", "evil.example");
    eve.known();
    std::string items;
    auto claim = [&](const std::string& account, const std::string& authorization) {
        static int number = 0;
        items += (items.empty() ? "" : ",") +
                 item(far + "/items/c" + std::to_string(++number), account, authorization);
    };
    claim(nat.uri, "https://third.example/stamps/none");  // is not there
    claim(nat.uri, "https://far.example/stamps/own");     // of the owner's own server
    serve_authorization("https://far.example/stamps/own", far, nat.uri);
    claim(eve.uri, "https://evil.example/stamps/other");  // for another collection
    serve_authorization("https://evil.example/stamps/other", far + "-2", eve.uri);
    claim(eve.uri, "https://evil.example/stamps/of-nat");  // of another account
    serve_authorization("https://evil.example/stamps/of-nat", far, nat.uri);
    claim(uri_of(w, carol), uri_of(w, carol) + "/feature_authorizations/1");  // never asked here
    claim(uri_of(w, carol), "https://far.example/stamps/carol");
    items += R"(,"https://far.example/items/bare",{"type":"FeaturedItem"},7)";
    auto id = looked_at(items);
    EXPECT_THAT(members(alice, id), IsEmpty());
    EXPECT_THAT(in_collections(carol), IsEmpty());
    EXPECT_THAT(carol.get("/api/v1/notifications").all("type"), IsEmpty());
}

TEST_P(FarCollections, hold_those_who_agreed_here_and_lose_whom_they_list_no_more) {
    comes(bob, request(bob, carol));
    auto authorization = sent(w)[0]["result"];
    auto id = looked_at(nats_item() + "," + item(far + "/items/2", uri_of(w, carol), authorization));
    EXPECT_THAT(members(alice, id), ElementsAre(text(nat.id), carol.id));
    w.advance(3700);
    serve_collection(bob, far, item(far + "/items/2", uri_of(w, carol), authorization));
    members(alice, id);
    w.run_jobs();
    EXPECT_THAT(members(alice, id), ElementsAre(carol.id));
    // And when it is no more, it goes.
    w.advance(3700);
    elsewhere::refuse(far, 404);
    members(alice, id);
    w.run_jobs();
    EXPECT_EQ(alice.get("/api/v1/collections/" + id).status, 404);
    EXPECT_THAT(in_collections(carol), IsEmpty());
}

TEST_P(FarCollections, lose_whose_authorization_is_taken_back_by_the_account_alone) {
    auto id = looked_at(nats_item());
    EXPECT_THAT(members(alice, id), ElementsAre(text(nat.id)));
    Peer eve(w, "eve", "third.example");
    eve.known();
    comes(eve, eve.activity("Delete", authorization_of_nat, "1"));
    comes(bob, bob.activity("Delete", authorization_of_nat, "2"));
    EXPECT_THAT(members(alice, id), ElementsAre(text(nat.id)));
    comes(nat, nat.activity("Delete", authorization_of_nat, "3"));
    EXPECT_THAT(members(alice, id), IsEmpty());
}

TEST_P(FarCollections, that_come_by_themselves_are_kept_when_somebody_here_follows_their_owner) {
    serve_authorization(authorization_of_nat, far, nat.uri);
    auto made = change("Add", collection_json(far, bob.uri, nats_item()), "1", list);
    comes(bob, made);
    EXPECT_EQ(known(far), "");
    remote::follows(w, alice, bob.id);
    comes(bob, change("Add", collection_json(far, bob.uri, nats_item()), "2", list));
    w.run_jobs();
    auto id = known(far);
    ASSERT_NE(id, "");
    EXPECT_THAT(members(carol, id), ElementsAre(text(nat.id)));
    comes(bob, change("Remove", far, "3", list));
    EXPECT_EQ(known(far), "");
}

TEST_P(FarCollections, change_and_those_here_who_are_in_them_are_told) {
    comes(bob, request(bob, carol));
    sent(w);
    auto changed = collection_json(far, bob.uri);
    changed.replace(changed.find("Far friends"), 11, "Best friends");
    comes(bob, bob.activity("Update", changed, "1"));
    w.run_jobs();
    EXPECT_EQ(carol.get("/api/v1/collections/" + known(far))["collection.name"], "Best friends");
    EXPECT_THAT(
        carol.get("/api/v1/notifications").all("type"),
        ElementsAre("collection_update", "added_to_collection")
    );
    comes(bob, bob.activity("Delete", far, "2"));
    EXPECT_EQ(known(far), "");
    EXPECT_THAT(carol.get("/api/v1/notifications").all("type"), IsEmpty());
}

TEST_P(FarCollections, keep_their_accounts_when_a_change_says_nothing_of_them) {
    auto id = looked_at(nats_item());
    comes(
        bob,
        bob.activity(
            "Update",
            R"({"type":"FeaturedCollection","id":")" + far + R"(","name":"Best friends","attributedTo":")" +
                bob.uri + "\"}",
            "1"
        )
    );
    w.run_jobs();
    EXPECT_EQ(alice.get("/api/v1/collections/" + id)["collection.name"], "Best friends");
    EXPECT_THAT(members(alice, id), ElementsAre(text(nat.id)));
}

TEST_P(FarCollections, take_items_one_by_one_with_their_consent) {
    auto id = looked_at("");
    comes(bob, change("Add", item(far + "/items/8", nat.uri, "https://third.example/stamps/none"), "1", far));
    EXPECT_THAT(members(alice, id), IsEmpty());
    comes(bob, change("Add", nats_item(), "2", far));
    EXPECT_THAT(members(alice, id), ElementsAre(text(nat.id)));
    comes(bob, change("Remove", far + "/items/1", "3", far));
    EXPECT_THAT(members(alice, id), IsEmpty());
}

TEST_P(FarCollections, keep_who_was_told_of_while_their_list_was_read) {
    Peer eve = Peer(w, "eve", "third.example").known();
    const std::string authorization_of_eve = "https://third.example/stamps/2";
    auto eves = item(far + "/items/2", eve.uri, authorization_of_eve);
    comes(bob, request(bob, carol));
    auto carols = item(far + "/items/3", uri_of(w, carol), sent(w)[0]["result"]);
    auto id = looked_at("");
    w.advance(3700);
    serve_authorization(authorization_of_eve, far, eve.uri);
    serve_collection(bob, far, eves);
    auto shows_authorization = internet().pages.at(authorization_of_eve);
    bool told = false;
    internet().pages[authorization_of_eve] = [&](const base::Fetch& question) {
        if (!std::exchange(told, true)) {
            w.advance(1);
            comes(bob, change("Add", nats_item(), "1", far));
            comes(bob, change("Add", carols, "2", far));
        }
        return shows_authorization(question);
    };
    members(alice, id);
    w.run_jobs();
    EXPECT_TRUE(told);
    EXPECT_THAT(members(alice, id), ElementsAre(text(eve.id), carol.id, text(nat.id)));
    // Read again, the list says who is in it.
    w.advance(3700);
    members(alice, id);
    w.run_jobs();
    EXPECT_THAT(members(alice, id), ElementsAre(text(eve.id)));
}

TEST_P(FarCollections, attack_34_are_not_changed_by_others) {
    auto id = looked_at(nats_item());
    Peer eve(w, "eve", "evil.example"), ned(w, "ned", "far.example");
    eve.known(), ned.known();
    with_list(ned);
    auto dan = featurable("dan");
    for (const auto& who : {eve, ned}) {
        auto says = [&](const std::string& type,
                        const std::string& object,
                        const std::string& number,
                        const std::string& target) {
            comes(who, who.activity(type, object, number, R"(,"target":")" + target + "\""));
        };
        says(
            "Add", item("https://" + who.host + "/items/9", who.uri, "https://" + who.host + "/s"), "1", far
        );
        says("Add", collection_json(far, bob.uri), "2", list);
        says("Add", collection_json(far, who.uri), "3", list_of(who));
        says("Remove", far + "/items/1", "4", far);
        says("Remove", far, "5", list);
        comes(who, who.activity("Delete", far, "6"));
        comes(who, who.activity("Update", collection_json(far, who.uri), "7"));
        // Nor is one of ours.
        says("Remove", uri_of(w, dan), "8", uri_of(w, alice) + "/featured_collections");
    }
    w.run_jobs();
    EXPECT_EQ(known(far), id);
    EXPECT_THAT(members(alice, id), ElementsAre(text(nat.id)));
    EXPECT_EQ(alice.get("/api/v1/collections/" + id)["collection.name"], "Far friends");
    EXPECT_EQ(alice.get("/api/v1/collections/" + id)["collection.account_id"], text(bob.id));
}

TEST_P(FarCollections, attack_67_without_an_end_are_read_to_a_limit) {
    // A list whose every page leads to another, with ten collections on each.
    int pages = 0;
    internet().pages[list] = [&](const base::Fetch& asked) {
        std::string items;
        for (int i = 0; i < 10; ++i) {
            auto id = far + "-" + std::to_string(pages) + "-" + std::to_string(i);
            items += (i ? "," : "") + collection_json(id, bob.uri);
        }
        Fetched answer;
        answer.status = 200;
        answer.url = asked.url;
        answer.headers = {{"content-type", elsewhere::activity_json}};
        auto next = list + "?page=" + std::to_string(++pages);
        internet().pages[next] = internet().pages[list];
        answer.body =
            R"({"@context":"https://www.w3.org/ns/activitystreams","type":"CollectionPage","id":")" +
            asked.url + R"(","items":[)" + items + R"(],"next":")" + next + "\"}";
        return answer;
    };
    listed(alice);
    w.run_jobs();
    EXPECT_LE(pages, 10);
    EXPECT_EQ(
        alice.get(
            "/api/v1/accounts/" + text(bob.id) + "/collections", {{"limit", "100"}}
        )["collections.50.id"],
        "absent"
    );
    EXPECT_NE(
        alice.get(
            "/api/v1/accounts/" + text(bob.id) + "/collections", {{"limit", "100"}}
        )["collections.49.id"],
        "absent"
    );
    // A collection whose pages do not end.
    int item_pages = 0;
    auto first = far + "?page=0";
    internet().pages[first] = [&](const base::Fetch& asked) {
        auto next = far + "?page=" + std::to_string(++item_pages);
        internet().pages[next] = internet().pages[first];
        Fetched answer;
        answer.status = 200;
        answer.url = asked.url;
        answer.headers = {{"content-type", elsewhere::activity_json}};
        answer.body =
            R"({"@context":"https://www.w3.org/ns/activitystreams","type":"CollectionPage","id":")" +
            asked.url + R"(","orderedItems":[],"next":")" + next + "\"}";
        return answer;
    };
    auto id = far + "-0-0";
    elsewhere::serve(
        id,
        R"({"@context":"https://www.w3.org/ns/activitystreams","type":"FeaturedCollection","id":")" + id +
            R"(","name":"Endless","attributedTo":")" + bob.uri + R"(","first":")" + first + "\"}"
    );
    w.advance(3700);
    members(alice, known(id));
    w.run_jobs();
    EXPECT_EQ(item_pages, 10);
}

}  // namespace

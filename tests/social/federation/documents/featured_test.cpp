// SPDX-License-Identifier: AGPL-3.0-or-later
// Collections of ours between servers (FEP-7aa9): documents, consent asked for and given, changes told.
#include "social/federation/elsewhere.hpp"
#include "social/federation/featured_stage.hpp"

#include <gmock/gmock.h>

const db::Query<std::string> test_reported_collections{
    "test_reported_collections", "SELECT collection_ids FROM reports ORDER BY id"
};

namespace {

using testing::ElementsAre, testing::IsEmpty, testing::SizeIs, testing::UnorderedElementsAre;

struct Featured : stage::FeaturedStage {};
ON_EACH_DATABASE(Featured);

TEST_P(Featured, collections_are_documents_that_everybody_may_read) {
    auto id = collection(alice, {{"description", "Good people"}, {"language", "de"}, {"tag_name", "Cats"}});
    put(alice, id, carol.id);
    auto list = document(uri_of(w, alice) + "/featured_collections");
    EXPECT_EQ(list["type"], "Collection");
    EXPECT_EQ(list["totalItems"], "1");
    auto first = document(list["first"]);
    EXPECT_EQ(first["type"], "CollectionPage");
    EXPECT_EQ(first["partOf"], list["id"]);
    EXPECT_EQ(first["items.0.id"], uri(alice, id));
    EXPECT_EQ(first["next"], "absent");
    auto shown = document(uri(alice, id));
    EXPECT_EQ(shown["type"], "FeaturedCollection");
    EXPECT_EQ(shown["attributedTo"], uri_of(w, alice));
    EXPECT_EQ(shown["name"], "Friends");
    EXPECT_EQ(shown["summaryMap.de"], "Good people");
    EXPECT_EQ(shown["topic.name"], "#cats");
    EXPECT_EQ(shown["totalItems"], "1");
    EXPECT_EQ(shown["orderedItems.0.featuredObject"], uri_of(w, carol));
    auto item = document(shown["orderedItems.0.id"]);
    EXPECT_EQ(item["type"], "FeaturedItem");
    EXPECT_EQ(item["featuredObjectType"], "Person");
    auto authorization = document(item["featureAuthorization"]);
    EXPECT_EQ(authorization["type"], "FeatureAuthorization");
    EXPECT_EQ(authorization["interactingObject"], uri(alice, id));
    EXPECT_EQ(authorization["interactionTarget"], uri_of(w, carol));
    EXPECT_EQ(document(uri_of(w, alice))["featuredCollections"], list["id"]);
    auto page = w.anonymous().with("Accept", "text/html").get("/collections/" + id);
    EXPECT_EQ(page.status, 200);
    EXPECT_NE(page.body.find("@carol"), page.body.npos);
    auto same = w.anonymous().with("Accept", "application/activity+json").get("/collections/" + id);
    EXPECT_EQ(same["id"], uri(alice, id));
}

TEST_P(Featured, lists_have_five_on_a_page_and_leave_out_what_is_not_to_be_discovered) {
    for (int i = 0; i < 6; ++i) collection(alice);
    auto hidden = collection(alice, {{"discoverable", "false"}});
    auto list = document(uri_of(w, alice) + "/featured_collections");
    EXPECT_EQ(list["totalItems"], "6");
    auto first = document(list["first"]), second = document(first["next"]);
    EXPECT_THAT((Answer{200, first["items"], {}}.ids()), SizeIs(5));
    EXPECT_THAT((Answer{200, second["items"], {}}.ids()), SizeIs(1));
    EXPECT_EQ(second["next"], "absent");
    EXPECT_EQ(document(uri(alice, hidden))["discoverable"], "false");  // who knows its id may read it
}

TEST_P(Featured, documents_are_of_their_owner_alone) {
    auto id = collection(alice);
    auto item = put(alice, id, carol.id);
    auto home = [&](const Person& p) { return "/ap/users/" + p.id; };
    EXPECT_EQ(w.anonymous().get(home(carol) + "/collections/" + id).status, 404);
    EXPECT_EQ(w.anonymous().get(home(carol) + "/collection_items/" + item).status, 404);
    EXPECT_EQ(w.anonymous().get(home(alice) + "/feature_authorizations/" + item).status, 404);
    EXPECT_EQ(w.anonymous().get(home(alice) + "/collections/1").status, 404);
    alice.post("/api/v1/accounts/" + text(bob.id) + "/block");
    w.run_jobs();
    EXPECT_EQ(bob.gets(home(alice) + "/collections/" + id).status, 404);
    EXPECT_EQ(bob.gets(home(alice) + "/featured_collections?page=1")["items"], "[]");
}

TEST_P(Featured, accounts_say_who_may_feature_them) {
    auto policy = [&](const Person& p) {
        return document(uri_of(w, p))["interactionPolicy.canFeature.automaticApproval.0"];
    };
    auto dan = w.local("dan");
    EXPECT_EQ(policy(carol), "https://www.w3.org/ns/activitystreams#Public");
    EXPECT_EQ(policy(dan), uri_of(w, dan));
    carol.patch("/api/v1/accounts/update_credentials", {{"locked", "true"}});
    EXPECT_EQ(policy(carol), uri_of(w, carol) + "/followers");
}

// ---- somebody there puts somebody here into a collection ----

TEST_P(Featured, requests_are_answered_with_an_authorization_and_whom_they_concern_is_told) {
    comes(bob, request(bob, carol));
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].line(), "Accept far.example/users/bob/inbox");
    EXPECT_EQ(told[0]["actor"], uri_of(w, carol));
    EXPECT_EQ(told[0]["object.type"], "FeatureRequest");
    EXPECT_EQ(told[0]["object.id"], "https://far.example/activities/ask");
    EXPECT_EQ(told[0]["object.instrument"], far);
    auto authorization = document(told[0]["result"]);
    EXPECT_EQ(authorization["type"], "FeatureAuthorization");
    EXPECT_EQ(authorization["interactingObject"], far);
    EXPECT_EQ(authorization["interactionTarget"], uri_of(w, carol));
    auto notice = carol.get("/api/v1/notifications");
    EXPECT_THAT(notice.all("type"), ElementsAre("added_to_collection"));
    EXPECT_EQ(notice["0.collection.name"], "Far friends");
    EXPECT_EQ(notice["0.collection.uri"], far);
    EXPECT_EQ(notice["0.collection.local"], "false");
    EXPECT_EQ(notice["0.collection.items.0.account_id"], carol.id);
    EXPECT_THAT(in_collections(carol), ElementsAre(notice["0.collection.id"]));
    // Asked once more, they answer the same and bother nobody.
    comes(bob, request(bob, carol, "again"));
    auto again = sent(w);
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(again[0]["result"], told[0]["result"]);
    EXPECT_THAT(carol.get("/api/v1/notifications").all("type"), SizeIs(1));
}

TEST_P(Featured, requests_are_refused_for_whom_their_settings_or_a_block_keep_out) {
    auto dan = w.local("dan"), locked = featurable("locked"), blocker = featurable("blocker"),
         shy = featurable("shy");
    locked.patch("/api/v1/accounts/update_credentials", {{"locked", "true"}});
    blocker.post("/api/v1/accounts/" + text(bob.id) + "/block");
    shy.post("/api/v1/domain_blocks", {{"domain", "far.example"}});
    sent(w);
    for (const auto& who : {dan, locked, blocker, shy}) {
        comes(bob, request(bob, who, "ask-" + who.name));
        auto told = sent(w);
        ASSERT_EQ(told.size(), 1u) << who.name;
        EXPECT_EQ(told[0].line(), "Reject far.example/users/bob/inbox") << who.name;
        EXPECT_EQ(told[0]["result"], "absent");
        EXPECT_THAT(who.get("/api/v1/notifications").all("type"), IsEmpty()) << who.name;
        EXPECT_THAT(in_collections(who), IsEmpty()) << who.name;
    }
    EXPECT_EQ(known(far), "");  // and nothing was stored
}

TEST_P(Featured, requests_of_others_for_a_collection_are_dropped) {
    Peer eve(w, "eve", "evil.example");
    eve.known();
    comes(eve, request(bob, carol, "ask", eve));  // a collection of another server
    Peer ned(w, "ned", "far.example");
    ned.known();
    comes(ned, request(bob, carol, "ask-2", ned));  // of somebody else of the same server
    serve_collection(bob, far + "-2", "", ned.uri);
    comes(
        bob, bob.activity("FeatureRequest", uri_of(w, carol), "ask-3", R"(,"instrument":")" + far + "-2\"")
    );
    EXPECT_THAT(sent_lines(w), IsEmpty());
    EXPECT_THAT(in_collections(carol), IsEmpty());
}

TEST_P(Featured, whoever_leaves_a_collection_of_another_server_tells_it_and_stays_out) {
    comes(bob, request(bob, carol));
    auto authorization = sent(w)[0]["result"];
    auto id = known(far);
    auto item = carol.get("/api/v1/collections/" + id)["collection.items.0.id"];
    EXPECT_EQ(alice.post("/api/v1/collections/" + id + "/items/" + item + "/revoke").status, 403);
    EXPECT_THAT(sent_lines(w), IsEmpty());
    EXPECT_EQ(carol.post("/api/v1/collections/" + id + "/items/" + item + "/revoke").status, 200);
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].line(), "Delete far.example/users/bob/inbox");
    EXPECT_EQ(told[0]["actor"], uri_of(w, carol));
    EXPECT_EQ(told[0]["object.id"], authorization);
    EXPECT_EQ(told[0]["object.type"], "FeatureAuthorization");
    EXPECT_NE(told[0]["signature.type"], "absent");
    EXPECT_EQ(w.anonymous().get(path(authorization)).status, 404);
    EXPECT_THAT(in_collections(carol), IsEmpty());
    comes(bob, request(bob, carol, "again"));
    EXPECT_THAT(sent_lines(w), ElementsAre("Reject far.example/users/bob/inbox"));
}

TEST_P(Featured, blocking_the_owner_takes_the_authorization_back) {
    comes(bob, request(bob, carol));
    auto authorization = sent(w)[0]["result"];
    carol.post("/api/v1/accounts/" + text(bob.id) + "/block");
    auto told = sent(w);
    auto revoked = std::ranges::find(told, "Delete", [](const Sent& s) { return s["type"]; });
    ASSERT_NE(revoked, told.end());
    EXPECT_EQ((*revoked)["object.id"], authorization);
    EXPECT_EQ(w.anonymous().get(path(authorization)).status, 404);
    EXPECT_THAT(in_collections(carol), IsEmpty());
}

// ---- somebody here puts somebody there into a collection ----

TEST_P(Featured, accounts_there_are_asked_and_in_once_they_agree) {
    auto id = collection(alice);
    auto item = put(alice, id, text(bob.id));
    EXPECT_EQ(states(alice, id), "pending");
    EXPECT_THAT(items(alice, id), IsEmpty());
    auto asked = sent(w);
    ASSERT_EQ(asked.size(), 1u);
    EXPECT_EQ(asked[0].line(), "FeatureRequest far.example/users/bob/inbox");
    EXPECT_EQ(asked[0]["actor"], uri_of(w, alice));
    EXPECT_EQ(asked[0]["object"], bob.uri);
    EXPECT_EQ(asked[0]["instrument"], uri(alice, id));
    // Not by somebody else, nor with an authorization of another server.
    Peer eve(w, "eve", "evil.example");
    eve.known();
    comes(eve, eve.activity("Accept", asked[0]["id"], "a", R"(,"result":"https://evil.example/stamps/1")"));
    comes(bob, bob.activity("Accept", asked[0]["id"], "b", R"(,"result":"https://evil.example/stamps/1")"));
    comes(bob, bob.activity("Accept", asked[0]["id"], "c"));
    EXPECT_EQ(states(alice, id), "pending");
    comes(bob, bob.activity("Accept", asked[0]["id"], "d", R"(,"result":")" + authorization_of_bob + "\""));
    EXPECT_EQ(states(alice, id), "accepted");
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].line(), "Add far.example/users/bob/inbox");
    EXPECT_EQ(told[0]["target"], uri(alice, id));
    EXPECT_EQ(told[0]["object.type"], "FeaturedItem");
    EXPECT_EQ(told[0]["object.featureAuthorization"], authorization_of_bob);
    EXPECT_THAT(items(alice, id), ElementsAre(bob.uri));
    // It is taken back by the account itself only.
    comes(eve, eve.activity("Delete", authorization_of_bob, "e"));
    Peer ned(w, "ned", "far.example");
    ned.known();
    comes(
        ned,
        ned.activity("Delete", R"({"type":"FeatureAuthorization","id":")" + authorization_of_bob + "\"}", "f")
    );
    EXPECT_EQ(states(alice, id), "accepted");
    comes(bob, bob.activity("Delete", authorization_of_bob, "g"));
    EXPECT_EQ(states(alice, id), "");
    EXPECT_THAT(items(alice, id), IsEmpty());
    told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].line(), "Remove far.example/users/bob/inbox");
    EXPECT_EQ(told[0]["object"], uri_of(w, alice) + "/collection_items/" + item);
}

TEST_P(Featured, accounts_there_that_refuse_stay_out) {
    auto id = collection(alice);
    put(alice, id, text(bob.id));
    auto asked = sent(w);
    ASSERT_EQ(asked.size(), 1u);
    comes(bob, bob.activity("Reject", asked[0].activity.body, "no"));
    EXPECT_EQ(states(alice, id), "");
    EXPECT_THAT(sent_lines(w), IsEmpty());
    comes(bob, bob.activity("Accept", asked[0]["id"], "yes", R"(,"result":")" + authorization_of_bob + "\""));
    EXPECT_EQ(states(alice, id), "");
}

TEST_P(Featured, accounts_there_are_asked_only_when_their_policy_lets_them) {
    auto id = collection(alice);
    Peer mute(w, "mute", "far.example");
    mute.known();
    EXPECT_EQ(add(alice, id, text(mute.id)).status, 403);  // says nothing, so nobody may
    allow(mute, {accounts::FeaturePolicy::followers, 0});
    EXPECT_EQ(add(alice, id, text(mute.id)).status, 403);
    remote::follows(w, alice, mute.id);
    EXPECT_EQ(add(alice, id, text(mute.id)).status, 200);
    EXPECT_THAT(sent_lines(w), ElementsAre("FeatureRequest far.example/users/mute/inbox"));
    auto shown = alice.get("/api/v1/accounts/" + text(mute.id));
    EXPECT_EQ(shown["feature_approval.automatic"], R"(["followers"])");
}

// ---- changes are told ----

TEST_P(Featured, collections_are_told_to_those_who_follow_their_owner) {
    follow(bob, alice);
    auto id = collection(alice, {{"account_ids[]", carol.id}});
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].line(), "Add far.example/users/bob/inbox");
    EXPECT_EQ(told[0]["target"], uri_of(w, alice) + "/featured_collections");
    EXPECT_EQ(told[0]["object.type"], "FeaturedCollection");
    EXPECT_EQ(told[0]["object.orderedItems.0.featuredObject"], uri_of(w, carol));
    alice.patch("/api/v1/collections/" + id, {{"name", "Best friends"}});
    told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0]["type"] + " " + told[0]["object.id"], "Update " + uri(alice, id));
    EXPECT_EQ(told[0]["object.name"], "Best friends");
    auto dan = featurable("dan");
    auto item = put(alice, id, dan.id);
    told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0]["type"] + " " + told[0]["object.featuredObject"], "Add " + uri_of(w, dan));
    alice.del("/api/v1/collections/" + id + "/items/" + item);
    told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0]["type"] + " " + told[0]["target"], "Remove " + uri(alice, id));
    alice.del("/api/v1/collections/" + id);
    told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0]["type"] + " " + told[0]["object"], "Remove " + uri(alice, id));
    EXPECT_EQ(told[0]["target"], uri_of(w, alice) + "/featured_collections");
}

TEST_P(Featured, whoever_leaves_a_collection_of_this_server_is_told_of_to_those_who_know_it) {
    follow(bob, alice);
    auto id = collection(alice);
    auto item = put(alice, id, carol.id);
    sent(w);
    carol.post("/api/v1/collections/" + id + "/items/" + item + "/revoke");
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].line(), "Delete far.example/users/bob/inbox");
    EXPECT_EQ(told[0]["object.id"], uri_of(w, carol) + "/feature_authorizations/" + item);
}

// ---- reports ----

TEST_P(Featured, collections_are_reported_to_the_server_of_their_owner_and_by_others) {
    comes(bob, request(bob, carol));
    sent(w);
    auto reported = carol.post(
        "/api/v1/reports",
        {{"account_id", text(bob.id)}, {"collection_ids[]", known(far)}, {"forward", "true"}}
    );
    EXPECT_EQ(reported.status, 200) << reported.body;
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0]["type"], "Flag");
    EXPECT_EQ(told[0]["object.1"], far);
    auto mine = collection(alice), others = collection(carol);
    auto accused =
        "[\"" + uri_of(w, alice) + "\",\"" + uri(alice, mine) + "\",\"" + uri(carol, others) + "\"]";
    comes(bob, bob.activity("Flag", accused, "flag", R"(,"content":"bad")"));
    auto lists = w.read([](db::Read& db) { return db.all(test_reported_collections); });
    EXPECT_EQ(lists.back(), "[\"" + mine + "\"]");
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/vectors.hpp"
#include "social/federation/stage.hpp"

#include <boost/json.hpp>

namespace {

struct WebFinger : stage::Federated {};
ON_EACH_DATABASE(WebFinger);

std::string find(const std::string& resource) {
    return "/.well-known/webfinger?" + form_encoded({{"resource", resource}});
}

TEST_P(WebFinger, answers_as_the_vectors_say) {
    w.local("alice");
    const auto cases = vectors::read("webfinger/cases.json");
    for (const auto& one : cases.at("serve").as_array()) {
        const auto& c = one.as_object();
        if (c.contains("given")) continue;  // accounts are not removed for good yet
        bool told = c.at("resource").is_string();
        auto resource = told ? std::string(c.at("resource").as_string()) : "";
        auto answer = nobody.get(told ? find(resource) : "/.well-known/webfinger");
        EXPECT_EQ(answer.status, c.at("status").as_int64()) << resource;
        if (auto* subject = c.if_contains("subject"))
            EXPECT_EQ(answer["subject"], std::string(subject->as_string())) << resource;
        if (auto* self = c.if_contains("self"))
            EXPECT_EQ(answer["links.0.href"], std::string(self->as_string())) << resource;
    }
}

TEST_P(WebFinger, names_the_relations_that_were_asked_for) {
    w.local("alice");
    auto relations = [&](const std::string& more, const std::string& who = "acct:alice@example.test") {
        auto answer = nobody.get(find(who) + more);
        EXPECT_EQ(answer["subject"], who);
        std::string out;
        const auto all = boost::json::parse(answer.body);
        for (const auto& link : all.at("links").as_array())
            out += std::string(link.at("rel").as_string()) + " ";
        return out;
    };
    const std::string page = "http://webfinger.net/rel/profile-page";
    EXPECT_EQ(relations("&rel=self"), "self ");
    EXPECT_EQ(relations("&rel=self&rel=http%3A%2F%2Fwebfinger.net%2Frel%2Fprofile-page"), page + " self ");
    EXPECT_EQ(relations("&rel=nonsense"), "");
    EXPECT_EQ(relations("&rel="), relations(""));
    EXPECT_EQ(relations("&rel=nonsense", "acct:example.test@example.test"), "");
}

// FEP-d556.
TEST_P(WebFinger, leads_from_the_address_of_the_site_to_the_actor_of_the_server) {
    for (auto address : {url(""), url("/")}) {
        auto found =
            nobody.get(find(address) + "&rel=https%3A%2F%2Fwww.w3.org%2Fns%2Factivitystreams%23Service");
        EXPECT_EQ(found["links.0.href"], url("/actor")) << address;
        EXPECT_EQ(found["links.0.type"], "application/activity+json");
    }
}

TEST_P(WebFinger, takes_the_number_of_an_actor_for_a_name_that_nobody_has) {
    auto alice = w.local("alice");
    auto found = nobody.get(find("acct:" + alice.id + "@example.test"));
    EXPECT_EQ(found["subject"], "acct:alice@example.test");
    auto namesake = w.local(alice.id);
    EXPECT_EQ(
        nobody.get(find("acct:" + alice.id + "@example.test"))["subject"],
        "acct:" + alice.id + "@example.test"
    );
    auto far = std::to_string(stranger("bob", "far.example").account.value);
    for (const auto& other :
         {far, alice.id + "0", alice.id + "x", std::string("-1"), std::string("99999999999999999999")})
        EXPECT_EQ(nobody.get(find("acct:" + other + "@example.test")).status, 404) << other;
}

TEST_P(WebFinger, leads_from_the_handle_to_the_actor_and_back) {
    auto alice = w.local("Alice");
    auto answer = nobody.get(find("acct:alice@example.test"));
    EXPECT_EQ(answer.header("Content-Type"), "application/jrd+json; charset=utf-8");
    EXPECT_EQ(answer.header("Access-Control-Allow-Origin"), "*");
    EXPECT_EQ(answer.header("Cache-Control"), "max-age=259200, public");
    auto id = url(actor(alice)), page = url("/@Alice");
    EXPECT_EQ(
        answer.body,
        R"({"subject":"acct:Alice@example.test","aliases":[")" + page + R"(",")" + id +
            R"("],"links":[)"
            R"({"rel":"http://webfinger.net/rel/profile-page","type":"text/html","href":")" +
            page +
            R"("},)"
            R"({"rel":"self","type":"application/activity+json","href":")" +
            id +
            R"("},)"
            R"({"rel":"http://ostatus.org/schema/1.0/subscribe","template":")" +
            url("/authorize_interaction?uri={uri}") +
            R"("},{"rel":"https://w3id.org/fep/3b86/Object","template":")" +
            url("/authorize_interaction?uri={object}") +
            R"("},{"rel":"https://w3id.org/fep/3b86/Follow","template":")" +
            url("/authorize_interaction?uri={object}") +
            R"("},{"rel":"https://w3id.org/fep/3b86/Create","template":")" +
            url("/share?title={name}&text={content}") + R"("}]})"
    );
    auto document = peer.get(actor(alice));
    EXPECT_EQ(document["id"], id);
    EXPECT_EQ(document["webfinger"], "Alice@example.test");
}

TEST_P(WebFinger, does_not_know_people_of_other_servers_or_yet_unconfirmed) {
    w.unconfirmed("mallory");
    EXPECT_EQ(nobody.get(find("acct:mallory@example.test")).status, 404);
    EXPECT_EQ(nobody.get(find("acct:bob@remote@example.test")).status, 404);
    EXPECT_EQ(nobody.get(find(url("/users/bob@remote.test"))).status, 404);
    EXPECT_EQ(nobody.get(find(url("/ap/users/1/statuses/1"))).status, 404);
    EXPECT_EQ(nobody.get(find("acct:@example.test")).status, 400);
}

TEST_P(WebFinger, is_announced_by_host_meta) {
    auto xml = nobody.get("/.well-known/host-meta");
    EXPECT_EQ(xml.header("Content-Type"), "application/xrd+xml; charset=utf-8");
    auto way = url("/.well-known/webfinger?resource={uri}");
    EXPECT_NE(xml.body.find("<Link rel=\"lrdd\" template=\"" + way + "\"/>"), xml.body.npos);
    auto json = R"({"links":[{"rel":"lrdd","template":")" + way + R"("}]})";
    EXPECT_EQ(nobody.get("/.well-known/host-meta.json").body, json);
    EXPECT_EQ(nobody.with("Accept", "application/json").get("/.well-known/host-meta").body, json);
}

}  // namespace

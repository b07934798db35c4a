// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/review.hpp"
#include "social/federation/remote.hpp"
#include "social/tags/tag.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

#include <set>

namespace {

using testing::ElementsAre, testing::IsEmpty, testing::SizeIs;

struct Search : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");

    std::vector<std::string> section(
        const Answer& answer, const std::string& name, const std::string& member
    ) {
        std::vector<std::string> out;
        for (int i = 0;; ++i) {
            auto value = answer[name + "." + std::to_string(i) + "." + member];
            if (value == "absent") return out;
            out.push_back(value);
        }
    }
    std::vector<std::string> people(const Person& who, const std::string& q, const Fields& more = {}) {
        auto fields = more;
        fields.emplace_back("q", q);
        auto found = who.get("/api/v1/accounts/search", fields).all("username");
        fields.emplace_back("type", "accounts");
        EXPECT_EQ(section(who.get("/api/v2/search", fields), "accounts", "username"), found);
        return found;
    }
};
ON_EACH_DATABASE(Search);

TEST_P(Search, finds_accounts_by_the_beginnings_of_their_names) {
    auto nora = w.local("nora_k");
    nora.patch("/api/v1/accounts/update_credentials", {{"display_name", "Nóra Kovács 東京"}});
    for (auto q : {"nor", "kov", "@nora_k", "KOVACS nora", "kovács", "東京", "京"})
        EXPECT_THAT(people(bob, q), ElementsAre("nora_k")) << q;
    for (auto q : {"ora", "kovacs bela", "*", "\"", "'", "nora@elsewhere.example"})
        EXPECT_THAT(people(bob, q), IsEmpty()) << q;
    nora.patch("/api/v1/accounts/update_credentials", {{"display_name", "Somebody"}});
    EXPECT_THAT(people(bob, "kovacs"), IsEmpty());
    EXPECT_THAT(people(bob, "some"), ElementsAre("nora_k"));
}

TEST_P(Search, finds_accounts_by_a_handle_that_is_being_typed) {
    remote::somebody(w, "nora"), remote::somebody(w, "nora", "fair.example"), remote::somebody(w, "norbert");
    auto nora = w.local("nora");
    EXPECT_THAT(people(bob, "nora@"), SizeIs(3));
    EXPECT_THAT(people(bob, "@NORA@fa"), SizeIs(2));
    EXPECT_THAT(people(bob, "nora@far"), SizeIs(1));
    EXPECT_THAT(people(bob, "nora@far.example"), SizeIs(1));
    EXPECT_THAT(people(bob, "nora@" + std::string(w.site().domain).substr(0, 3)), SizeIs(1));
    for (auto q : {"nor@far", "nora@ar.example", "nora@f%", "nora@far.example.org"})
        EXPECT_THAT(people(bob, q), IsEmpty()) << q;
    w.suspend(nora);
    EXPECT_THAT(people(bob, "nora@"), SizeIs(2));
}

TEST_P(Search, finds_a_collection_by_its_address) {
    auto made = alice.post(
        "/api/v1/collections", {{"name", "Gardeners"}, {"sensitive", "false"}, {"discoverable", "true"}}
    );
    ASSERT_EQ(made.status, 200) << made.body;
    auto found = [&](const Person& who, const std::string& address, const Fields& more = {}) {
        Fields fields{{"q", address}, {"resolve", "true"}};
        fields.insert(fields.end(), more.begin(), more.end());
        return section(who.get("/api/v2/search", fields), "collections", "name");
    };
    for (auto member : {"collection.uri", "collection.url"})
        EXPECT_THAT(found(bob, made[member]), ElementsAre("Gardeners")) << made[member];
    EXPECT_THAT(found(bob, made["collection.url"] + "9"), IsEmpty());
    EXPECT_THAT(found(bob, made["collection.url"], {{"type", "accounts"}}), IsEmpty());
    alice.blocks(bob);
    EXPECT_THAT(found(bob, made["collection.url"]), IsEmpty());
}

TEST_P(Search, finds_no_accounts_by_nothing) {
    for (const auto& form : {Fields{}, Fields{{"q", ""}}, Fields{{"q", "@"}}}) {
        auto answer = bob.get("/api/v1/accounts/search", form);
        EXPECT_EQ(answer.status, 200);
        EXPECT_EQ(answer.body, "[]");
    }
}

TEST_P(Search, ranks_accounts_by_name_relation_and_followers) {
    auto sam = w.local("sam"), famous = w.local("sam_famous"), friendly = w.local("sam_friend");
    alice.follows(famous);
    bob.follows(friendly);
    EXPECT_THAT(people(bob, "sam"), ElementsAre("sam", "sam_friend", "sam_famous"));
    EXPECT_THAT(people(bob, "sam", {{"offset", "1"}, {"limit", "1"}}), ElementsAre("sam_friend"));
    EXPECT_THAT(people(bob, "sam", {{"following", "true"}}), ElementsAre("sam_friend"));
    w.suspend(famous);
    EXPECT_THAT(people(bob, "sam"), ElementsAre("sam", "sam_friend"));
}

TEST_P(Search, ranks_accounts_the_same_when_very_many_bear_the_name) {
    for (int i = 0; i < 510; ++i) w.local("many" + std::to_string(i));
    auto friendly = w.local("many_a"), famous = w.local("many_b");
    alice.follows(famous);
    bob.follows(friendly);
    auto found = people(bob, "many", {{"limit", "5"}});
    ASSERT_THAT(found, SizeIs(5));
    EXPECT_THAT((std::vector{found[0], found[1]}), ElementsAre("many_a", "many_b"));
    EXPECT_THAT(people(bob, "many", {{"offset", "1"}, {"limit", "1"}}), ElementsAre("many_b"));
    EXPECT_THAT(people(bob, "many", {{"following", "1"}}), ElementsAre("many_a"));
    EXPECT_THAT(people(bob, "many7"), SizeIs(11));
}

TEST_P(Search, finds_those_of_whom_there_are_many_though_others_are_followed_more) {
    for (int i = 0; i < 505; ++i) w.local("quiet" + std::to_string(i));
    for (int i = 0; i < 505; ++i) w.local("loud" + std::to_string(i));
    auto found = people(bob, "quiet", {{"limit", "40"}});
    EXPECT_THAT(found, SizeIs(40));
    EXPECT_THAT(found, testing::Each(testing::StartsWith("quiet")));
    EXPECT_EQ(std::set(found.begin(), found.end()).size(), 40u);
}

TEST_P(Search, finds_hashtags_by_prefix_with_the_exact_one_first) {
    alice.status("#cats #cat #dog");
    auto answer = w.anonymous().get("/api/v2/search", {{"q", "#Cat"}, {"type", "hashtags"}});
    EXPECT_THAT(section(answer, "hashtags", "name"), ElementsAre("cat", "cats"));
    EXPECT_EQ(answer["collections"], "[]");
}

TEST_P(Search, finds_no_hashtags_that_were_said_among_few_people) {
    auto found = [&](const Person& who) {
        return section(
            who.get("/api/v2/search", {{"q", "#secret"}, {"type", "hashtags"}}), "hashtags", "name"
        );
    };
    alice.status("#secretplan", {{"visibility", "direct"}});
    alice.status("#secretparty", {{"visibility", "private"}});
    alice.status("#secretly", {{"visibility", "unlisted"}});
    alice.status("#secretary", {{"local_only", "true"}});
    EXPECT_THAT(found(bob), ElementsAre("secretary", "secretly"));
    EXPECT_THAT(found(w.anonymous()), ElementsAre("secretly"));
    alice.status("#secretparty", {{"visibility", "direct"}});
    EXPECT_THAT(found(w.anonymous()), ElementsAre("secretly"));
    alice.status("#secretplan");
    EXPECT_THAT(found(w.anonymous()), ElementsAre("secretplan", "secretly"));
}

TEST_P(Search, without_unreviewed_hashtags_still_finds_the_one_that_is_named) {
    alice.status("#birds #birdsong #birdwatching");
    auto found = [&](const std::string& q) {
        return section(
            bob.get("/api/v2/search", {{"q", q}, {"exclude_unreviewed", "true"}}), "hashtags", "name"
        );
    };
    EXPECT_THAT(found("birds"), ElementsAre("birds"));
    EXPECT_THAT(found("#BirdSong"), ElementsAre("birdsong"));
    EXPECT_THAT(found("bird"), IsEmpty());
    w.write([](db::Write& db) {
        auto song = tags::find_tag(db, "birdsong");
        discovery::decide(db, discovery::Kind::tag, song->id.value, false);
    });
    EXPECT_THAT(found("birds"), ElementsAre("birds", "birdsong"));
    EXPECT_THAT(found("bird"), ElementsAre("birdsong"));
}

TEST_P(Search, without_login_has_no_resolving_no_paging_and_no_statuses) {
    auto anyone = w.anonymous();
    alice.status("hello");
    EXPECT_EQ(anyone.get("/api/v2/search", {{"q", "x"}, {"resolve", "true"}}).status, 401);
    EXPECT_EQ(anyone.get("/api/v2/search", {{"q", "x"}, {"offset", "1"}}).status, 401);
    EXPECT_EQ(anyone.get("/api/v2/search", {{"q", "hello"}})["statuses"], "[]");
    EXPECT_EQ(anyone.get("/api/v2/search", {{"q", "al"}})["accounts"], "[]");
    EXPECT_EQ(anyone.get("/api/v2/search", {{"q", "alice"}})["accounts.0.id"], alice.id);
    EXPECT_EQ(anyone.get("/api/v2/search").status, 400);
    EXPECT_EQ(anyone.get("/api/v2/search", {{"q", "x"}, {"limit", "-1"}}).status, 400);
    EXPECT_EQ(alice.get("/api/v1/search", {{"q", "x"}}).status, 404);
}

TEST_P(Search, resolves_addresses_of_this_site) {
    auto status = alice.status("hello"), secret = alice.status("secret", {{"visibility", "private"}});
    auto resolve = [&](const std::string& path) {
        return bob.get("/api/v2/search", {{"q", w.site().public_url + path}, {"resolve", "true"}});
    };
    for (const auto& path : {std::string("/@alice"), "/users/" + alice.name, std::string("/@ALICE?x=1")})
        EXPECT_EQ(resolve(path)["accounts.0.id"], alice.id) << path;
    EXPECT_EQ(resolve("/ap/users/" + alice.id)["accounts.0.id"], alice.id);
    for (const auto& path :
         {"/@alice/" + status,
          "/users/" + alice.name + "/statuses/" + status,
          "/ap/users/" + alice.id + "/statuses/" + status}) {
        EXPECT_EQ(resolve(path)["statuses.0.id"], status) << path;
        EXPECT_EQ(resolve(path)["accounts"], "[]") << path;
    }
    for (const auto& path :
         {"/@alice/" + secret, std::string("/@nobody"), std::string("/about"), std::string("")})
        EXPECT_EQ(resolve(path)["statuses"] + resolve(path)["accounts"], "[][]") << path;
}

}  // namespace

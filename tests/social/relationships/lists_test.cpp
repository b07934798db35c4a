// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of blocked, muted and endorsed people, notes about people, and who of one's follows follows somebody.
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct PeopleLists : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol"), dora = w.local("dora");

    static std::string path(const Person& p, const std::string& verb) {
        return "/api/v1/accounts/" + p.id + "/" + verb;
    }
    std::string between(const Person& me, const Person& other, const std::string& member) {
        return me.get("/api/v1/accounts/relationships", {{"id", other.id}})["0." + member];
    }
};
ON_EACH_DATABASE(PeopleLists);

TEST_P(PeopleLists, show_the_blocked_newest_first_page_by_page) {
    for (const auto& who : {bob, carol, dora}) alice.blocks(who);
    EXPECT_THAT(alice.get("/api/v1/blocks").ids(), ElementsAre(dora.id, carol.id, bob.id));
    auto first = alice.get("/api/v1/blocks", {{"limit", "2"}});
    EXPECT_THAT(first.ids(), ElementsAre(dora.id, carol.id));
    EXPECT_NE(first.link("prev").find("since_id="), std::string::npos);
    auto second = alice.get(first.link("next"));
    EXPECT_THAT(second.ids(), ElementsAre(bob.id));
    EXPECT_EQ(second.link("next"), "");
    EXPECT_THAT(alice.get(second.link("prev")).ids(), ElementsAre(dora.id, carol.id));
    w.suspend(carol);
    EXPECT_THAT(alice.get("/api/v1/blocks").ids(), ElementsAre(dora.id, bob.id));
    EXPECT_THAT(bob.get("/api/v1/blocks").ids(), IsEmpty());
}

TEST_P(PeopleLists, show_the_muted_until_when) {
    alice.mutes(bob, {{"duration", "60"}});
    alice.mutes(carol);
    auto muted = alice.get("/api/v1/mutes");
    EXPECT_THAT(muted.ids(), ElementsAre(carol.id, bob.id));
    EXPECT_THAT(muted.all("mute_expires_at"), ElementsAre("null", "2026-01-01T00:01:00.000Z"));
    auto first = alice.get("/api/v1/mutes", {{"limit", "1"}});
    EXPECT_THAT(alice.get(first.link("next")).ids(), ElementsAre(bob.id));
    w.advance(61);
    EXPECT_THAT(alice.get("/api/v1/mutes").ids(), ElementsAre(carol.id));
    w.suspend(carol);
    EXPECT_THAT(alice.get("/api/v1/mutes").ids(), IsEmpty());
}

TEST_P(PeopleLists, cost_the_same_queries_for_one_and_for_forty) {
    alice.mutes(bob);
    alice.blocks(carol);
    const auto lists = {"/api/v1/mutes", "/api/v1/blocks"};
    auto cost = [&] {
        for (auto list : lists) alice.get(list, {{"limit", "80"}});
        return w.queries();
    };
    cost();
    auto few = cost();
    for (int i = 0; i < 40; ++i) {
        auto who = w.local("p" + std::to_string(i));
        alice.mutes(who);
        alice.blocks(who);
    }
    cost();
    EXPECT_EQ(alice.get("/api/v1/mutes", {{"limit", "80"}}).ids().size(), 41u);
    w.queries();
    EXPECT_EQ(cost(), few);
}

struct Endorsements : PeopleLists {};
ON_EACH_DATABASE(Endorsements);

TEST_P(Endorsements, are_for_the_followed_only) {
    auto refused = alice.post(path(bob, "endorse"));
    EXPECT_EQ(refused.status, 422);
    EXPECT_EQ(alice.post(path(alice, "endorse")).status, 422);
    EXPECT_EQ(w.happened() + w.changed(), "");
    alice.follows(bob);
    w.happened(), w.changed();
    EXPECT_EQ(alice.post(path(bob, "endorse"))["endorsed"], "true");
    EXPECT_EQ(alice.post(path(bob, "pin"))["endorsed"], "true");
    EXPECT_EQ(w.changed(), "endorsements +1");
    EXPECT_EQ(between(bob, alice, "endorsed"), "false");
    EXPECT_EQ(alice.post(path(bob, "unpin"))["endorsed"], "false");
    EXPECT_EQ(alice.post(path(bob, "unendorse"))["endorsed"], "false");
    EXPECT_EQ(w.changed(), "endorsements -1");
    EXPECT_EQ(w.happened(), "");
}

TEST_P(Endorsements, end_with_the_follow) {
    for (const auto& who : {bob, carol}) {
        alice.follows(who);
        alice.post(path(who, "endorse"));
    }
    alice.unfollows(bob);
    EXPECT_EQ(between(alice, bob, "endorsed"), "false");
    carol.blocks(alice);
    EXPECT_THAT(alice.get("/api/v1/endorsements").ids(), IsEmpty());
}

TEST_P(Endorsements, are_listed_for_everybody_by_account) {
    for (const auto& who : {carol, bob, dora}) {
        alice.follows(who);
        alice.post(path(who, "endorse"));
    }
    auto list = path(alice, "endorsements");
    EXPECT_THAT(w.anonymous().get(list).ids(), ElementsAre(dora.id, carol.id, bob.id));
    auto first = bob.get(list, {{"limit", "2"}});
    EXPECT_THAT(first.ids(), ElementsAre(dora.id, carol.id));
    EXPECT_NE(first.link("next").find("max_id=" + carol.id), std::string::npos);
    EXPECT_THAT(bob.get(first.link("next")).ids(), ElementsAre(bob.id));
    EXPECT_THAT(bob.get(list, {{"limit", "0"}}).ids(), IsEmpty());
    auto all = alice.get("/api/v1/endorsements", {{"limit", "0"}});
    EXPECT_THAT(all.ids(), ElementsAre(dora.id, carol.id, bob.id));
    EXPECT_EQ(all.header("Link"), "");
    alice.blocks(dora);
    EXPECT_EQ(dora.get(list).body, "[]");
    w.suspend(carol);
    EXPECT_THAT(alice.get("/api/v1/endorsements").ids(), ElementsAre(bob.id));
    w.suspend(alice);
    EXPECT_EQ(bob.get(list).body, "[]");
}

struct Notes : PeopleLists {};
ON_EACH_DATABASE(Notes);

TEST_P(Notes, are_kept_for_their_author_alone_until_blanked) {
    EXPECT_EQ(alice.post(path(bob, "note"), {{"comment", "met in <Rome>"}})["note"], "met in <Rome>");
    EXPECT_EQ(alice.post(path(bob, "note"), {{"comment", "in Oslo"}})["note"], "in Oslo");
    EXPECT_EQ(w.changed(), "account_notes +1");
    EXPECT_EQ(between(bob, alice, "note"), "");
    EXPECT_EQ(between(carol, bob, "note"), "");
    EXPECT_EQ(alice.post(path(bob, "note"), {{"comment", " \n"}})["note"], "");
    EXPECT_EQ(alice.post(path(carol, "note"))["note"], "");
    EXPECT_EQ(w.changed(), "account_notes -1");
    EXPECT_EQ(w.happened(), "");
}

TEST_P(Notes, have_at_most_2000_characters) {
    EXPECT_EQ(alice.post(path(bob, "note"), {{"comment", std::string(2000, 'a')}}).status, 200);
    auto refused = alice.post(path(bob, "note"), {{"comment", std::string(2001, 'b')}});
    EXPECT_EQ(refused.status, 422);
    EXPECT_EQ(refused.error(), "Validation failed: Comment is too long (maximum is 2000 characters)");
    EXPECT_EQ(between(alice, bob, "note"), std::string(2000, 'a'));
}

struct FamiliarFollowers : PeopleLists {
    Answer ask(const std::vector<Person>& about) {
        Fields fields;
        for (const auto& who : about) fields.emplace_back("id[]", who.id);
        return alice.get("/api/v1/accounts/familiar_followers", fields);
    }
};
ON_EACH_DATABASE(FamiliarFollowers);

TEST_P(FamiliarFollowers, are_those_one_follows_who_follow_somebody) {
    for (const auto& who : {bob, carol}) {
        alice.follows(who);
        who.follows(dora);
    }
    w.local("eve").follows(dora);
    bob.follows(carol);
    auto answer = ask({dora, carol, bob});
    EXPECT_THAT(answer.all("id"), ElementsAre(dora.id, carol.id, bob.id));
    EXPECT_EQ(answer["0.accounts.0.id"], carol.id);
    EXPECT_EQ(answer["0.accounts.1.id"], bob.id);
    EXPECT_EQ(answer["0.accounts.2.id"], "absent");
    EXPECT_EQ(answer["1.accounts.0.id"], bob.id);
    EXPECT_EQ(answer["2.accounts"], "[]");
}

TEST_P(FamiliarFollowers, leave_out_hidden_networks_on_either_side) {
    auto hide = [&](const Person& who, const char* value) {
        who.patch("/api/v1/accounts/update_credentials", {{"hide_collections", value}});
    };
    for (const auto& who : {bob, carol}) {
        alice.follows(who);
        who.follows(dora);
    }
    hide(bob, "true");
    EXPECT_EQ(ask({dora})["0.accounts.0.id"], carol.id);
    EXPECT_EQ(ask({dora})["0.accounts.1.id"], "absent");
    hide(dora, "true");
    EXPECT_EQ(ask({dora})["0.accounts"], "[]");
    w.suspend(dora);
    EXPECT_EQ(ask({dora}).body, "[]");
}

TEST_P(PeopleLists, of_identity_proofs_are_always_empty) {
    auto answer = alice.get(path(bob, "identity_proofs"));
    EXPECT_EQ(answer.body, "[]");
    EXPECT_EQ(answer.header("Deprecation"), "@1648598400");
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// Actors of other servers that say of themselves that they have moved, and new accounts that say so of old ones.
#include "social/accounts/account.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/federation/fetch/related_jobs.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "support/periodic.hpp"

namespace {

struct NamedMoves : OnEachWorld {
    Person alice = w.local("alice");
    Peer bob = Peer(w).known();
    Peer next = Peer(w, "bobby", "new.example").known();
    Peer other = Peer(w, "robert", "other.example").known();
    int number = 0;

    void SetUp() override {
        remote::follows(w, alice, bob.id);
        for (const auto* peer : {&next, &other}) peer->publish(R"(,"alsoKnownAs":[")" + bob.uri + "\"]");
    }
    static std::string names(const std::string& target) { return R"(,"movedTo":")" + target + "\""; }
    void comes(
        const Peer& from, const std::string& type, const std::string& object, const std::string& more = ""
    ) {
        EXPECT_EQ(from.brings(from.activity(type, object, std::to_string(++number), more)).status, 202);
        w.run_inbox();
        w.run_jobs();
    }
    void updates(const Peer& who, const std::string& members) {
        who.publish(members);
        comes(who, "Update", who.uri);
    }
    void moves(const Peer& who, const std::string& object, const std::string& target) {
        comes(who, "Move", object, R"(,"target":")" + target + "\"");
    }
    std::string moved(const Peer& who) {
        return alice.get("/api/v1/accounts/" + remote::text(who.id))["moved.url"];
    }
    // Whom alice follows, or has asked to.
    std::string goes_with() {
        std::string out;
        for (const auto* peer : {&bob, &next, &other}) {
            auto found =
                alice.get("/api/v1/accounts/relationships", {{"id[]", std::to_string(peer->id.value)}});
            if (found["0.following"] == "true" || found["0.requested"] == "true") out += peer->name + " ";
        }
        return out;
    }
};
ON_EACH_DATABASE(NamedMoves);

TEST_P(NamedMoves, are_shown_but_leave_followers_where_they_are_until_a_move_comes) {
    auto carol = w.local("carol");
    updates(bob, names(next.uri));
    EXPECT_EQ(moved(bob), next.uri);
    EXPECT_EQ(goes_with(), "bob ");
    EXPECT_EQ(carol.post("/api/v1/accounts/" + remote::text(bob.id) + "/follow").status, 403);
    w.happened();
    moves(bob, bob.uri, next.uri);
    EXPECT_EQ(goes_with(), "bobby ");
    updates(bob, names(next.uri));
    moves(bob, bob.uri, next.uri);
    EXPECT_EQ(goes_with(), "bobby ");
    auto all = w.happened();
    EXPECT_EQ(all.find("Moved"), all.rfind("Moved")) << all;
    EXPECT_EQ(all.find("MoveNamed"), all.npos) << all;
}

TEST_P(NamedMoves, are_not_told_again_after_the_move) {
    moves(bob, bob.uri, next.uri);
    EXPECT_EQ(moved(bob), next.uri);
    EXPECT_EQ(goes_with(), "bobby ");
    updates(bob, "");  // not every server that sends a Move says so in the actor
    EXPECT_EQ(moved(bob), next.uri);
    w.happened();
    updates(bob, names(next.uri));
    EXPECT_EQ(w.happened().find("Move"), std::string::npos);
    EXPECT_EQ(moved(bob), next.uri);
    EXPECT_EQ(goes_with(), "bobby ");
}

TEST_P(NamedMoves, end_when_the_actor_takes_them_back) {
    updates(bob, names(next.uri));
    updates(bob, names(other.uri));
    EXPECT_EQ(moved(bob), other.uri);
    updates(bob, "");
    EXPECT_EQ(moved(bob), "absent");
    auto carol = w.local("carol");
    EXPECT_EQ(carol.post("/api/v1/accounts/" + remote::text(bob.id) + "/follow").status, 200);
}

TEST_P(NamedMoves, count_when_the_new_account_names_the_old_one_and_are_looked_at_again_a_day_later) {
    next.publish();
    updates(bob, names(next.uri));
    EXPECT_EQ(moved(bob), "absent");
    next.publish(R"(,"alsoKnownAs":[")" + bob.uri + "\"]");
    updates(bob, names(next.uri));
    EXPECT_EQ(moved(bob), "absent");
    w.advance(86'401);
    updates(bob, names(next.uri));
    EXPECT_EQ(moved(bob), next.uri);
}

TEST_P(NamedMoves, are_looked_at_again_when_actors_of_whom_nothing_was_heard_are_asked_for) {
    next.publish();
    updates(bob, names(next.uri));
    EXPECT_EQ(moved(bob), "absent");
    next.publish(R"(,"alsoKnownAs":[")" + bob.uri + "\"]");
    w.advance(8 * 86'400);
    support::run_periodic(w, federation::find_stale_actors);
    w.run_jobs();
    EXPECT_EQ(moved(bob), next.uri);
    w.happened();
    w.advance(8 * 86'400);
    support::run_periodic(w, federation::find_stale_actors);
    w.run_jobs();
    EXPECT_EQ(w.happened().find("MoveNamed"), std::string::npos) << "that is known now";
}

TEST_P(NamedMoves, are_not_followed_from_one_account_to_the_next) {
    next.publish(R"(,"alsoKnownAs":[")" + bob.uri + "\"]" + names(other.uri));
    other.publish(R"(,"alsoKnownAs":[")" + next.uri + "\"]");
    internet().asked.clear();
    updates(bob, names(next.uri));
    for (const auto& question : internet().asked) EXPECT_NE(question.url, other.uri);
    EXPECT_EQ(moved(next), "absent");
    updates(next, R"(,"alsoKnownAs":[")" + bob.uri + "\"]" + names(next.uri));
    EXPECT_EQ(moved(next), "absent");
}

TEST_P(NamedMoves, may_be_told_by_the_new_account_where_the_old_one_names_it) {
    moves(next, bob.uri, next.uri);
    EXPECT_EQ(goes_with(), "bob ");
    EXPECT_EQ(moved(bob), "absent");
    bob.publish(names(other.uri));
    moves(next, bob.uri, next.uri);
    EXPECT_EQ(goes_with(), "bob ");
    bob.publish(names(next.uri));
    moves(next, bob.uri, other.uri);  // of somebody else, to somebody else
    EXPECT_EQ(goes_with(), "bob ");
    moves(next, bob.uri, next.uri);
    EXPECT_EQ(goes_with(), "bobby ");
    EXPECT_EQ(moved(bob), next.uri);
}

TEST_P(NamedMoves, count_as_they_were_last_seen_when_the_old_server_is_gone) {
    updates(bob, names(next.uri));
    internet().pages.erase(bob.uri);
    moves(next, bob.uri, next.uri);
    EXPECT_EQ(goes_with(), "bobby ");
}

TEST_P(NamedMoves, of_people_here_are_told_by_nobody_else) {
    moves(next, uri_of(w, alice), next.uri);
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id)["moved"], "absent");
}

}  // namespace

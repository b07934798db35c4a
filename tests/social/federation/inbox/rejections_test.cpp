// SPDX-License-Identifier: AGPL-3.0-or-later
// What somebody here did with a post of another server, whose author does not want it.
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "social/federation/sent.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct Rejections : OnEachWorld {
    Person alice = w.local("alice"), carol = w.local("carol");
    Peer bob = Peer(w).known();
    const std::string post = remote::stored(w, remote::note(w, bob.id, "1"));
    const std::string path = "/api/v1/statuses/" + post;

    // The only activity of this type that was sent by now.
    std::string only(const std::string& type, const std::string& member = "") {
        std::string found;
        for (const auto& one : sent(w)) {
            if (one["type"] != type) continue;
            EXPECT_EQ(found, "");
            found = member.empty() ? one.activity.body : one[member];
        }
        EXPECT_NE(found, "");
        return found;
    }
    void comes(const Peer& from, const std::string& object, const std::string& number) {
        EXPECT_EQ(from.brings(from.activity("Reject", object, number)).status, 202);
        w.run_inbox();
    }
    std::string shown(const std::string& member) { return alice.get(path)[member]; }
    // "type from status" of each.
    std::vector<std::string> told(const Person& who) {
        std::vector<std::string> out;
        auto all = who.get("/api/v1/notifications");
        for (std::size_t i = 0; i < all.ids().size(); ++i) {
            auto at = std::to_string(i) + ".";
            out.push_back(all[at + "type"] + " " + all[at + "account.acct"] + " " + all[at + "status.id"]);
        }
        return out;
    }
};
ON_EACH_DATABASE(Rejections);

TEST_P(Rejections, of_a_favourite_take_it_back_and_are_told) {
    for (bool embedded : {false, true}) {
        alice.favourites(post);
        auto like = only("Like", embedded ? "" : "id");
        comes(bob, like, embedded ? "no-1" : "no-2");
        EXPECT_EQ(shown("favourited") + shown("favourites_count"), "false0");
        EXPECT_THAT(told(alice), ElementsAre("update bob@far.example " + post));
        sent(w);
    }
}

TEST_P(Rejections, of_a_boost_take_it_back_everywhere_and_are_told) {
    auto boost = alice.reblogs(post);
    auto announce = only("Announce", "id");
    comes(bob, announce, "no");
    EXPECT_EQ(shown("reblogged") + shown("reblogs_count"), "false0");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + boost).status, 404);
    EXPECT_THAT(told(alice), ElementsAre("update bob@far.example " + post));
    EXPECT_THAT(sent_lines(w), ElementsAre("Undo far.example/users/bob/inbox"));
}

TEST_P(Rejections, of_an_answer_take_it_out_of_the_thread_and_leave_it_to_its_author) {
    auto answer = alice.answers(post, "I think so, too");
    auto further = carol.answers(answer, "so do I");
    EXPECT_EQ(shown("replies_count"), "1");
    sent(w);
    w.happened();
    comes(bob, uri_of(w, answer), "no");
    EXPECT_EQ(w.happened(), "InteractionRejected, Told");
    EXPECT_EQ(shown("replies_count"), "0");
    EXPECT_EQ(alice.get(path + "/context")["descendants"], "[]");
    auto left = alice.get("/api/v1/statuses/" + answer);
    EXPECT_EQ(left["in_reply_to_id"] + left["in_reply_to_account_id"], "nullnull");
    EXPECT_EQ(left["replies_count"], "1");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + answer + "/context")["descendants.0.id"], further);
    EXPECT_THAT(told(alice), testing::Contains("update bob@far.example " + answer));
    // Who has it is told that it answers nothing.
    EXPECT_EQ(only("Update", "object.inReplyTo"), "null");
    w.happened();
    comes(bob, uri_of(w, answer), "no again");
    EXPECT_EQ(w.happened(), "");
}

TEST_P(Rejections, of_an_answer_may_name_its_create_or_a_request_for_it) {
    auto first = alice.answers(post, "one"), second = alice.answers(post, "two");
    sent(w);
    comes(bob, uri_of(w, first) + "/activity", "no-1");
    auto request = R"({"type":"ReplyRequest","id":"https://far.example/requests/1","actor":")" +
                   uri_of(w, alice) + R"(","object":"https://far.example/notes/1","instrument":")" +
                   uri_of(w, second) + "\"}";
    comes(bob, request, "no-2");
    EXPECT_EQ(shown("replies_count"), "0");
}

TEST_P(Rejections, by_anybody_but_the_author_change_nothing) {
    Peer eve(w, "eve", "far.example");
    eve.known();
    alice.favourites(post);
    auto like = only("Like", "id");
    alice.reblogs(post);
    auto announce = only("Announce", "id");
    auto answer = alice.answers(post, "mine"), own = alice.status("of my own");
    auto further = carol.answers(own, "hello");
    sent(w);
    w.happened();
    int number = 0;
    for (const auto& object : {like, announce, uri_of(w, answer)})
        comes(eve, object, "e" + std::to_string(++number));
    for (const auto& object :
         {uri_of(w, own), uri_of(w, further), uri_of(w, own) + "0", std::string("https://far.example/notes/1")
         })
        comes(bob, object, "b" + std::to_string(++number));
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(shown("favourited") + shown("reblogged") + shown("replies_count"), "truetrue1");
    EXPECT_THAT(sent_lines(w), IsEmpty());
}

}  // namespace

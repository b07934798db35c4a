// SPDX-License-Identifier: AGPL-3.0-or-later
// Likes, reactions and votes from other servers. Numbers are those of the list of attacks.
#include "social/federation/peer.hpp"

namespace {

struct FarLikes : OnEachWorld {
    Person alice = w.local("alice");
    Peer bob = Peer(w).known();

    void comes(const Peer& from, const std::string& body) {
        EXPECT_EQ(from.brings(body).status, 202);
        w.run_inbox();
    }
    std::string likes(const std::string& status) {
        return alice.get("/api/v1/statuses/" + status)["favourites_count"];
    }
    std::string told() {
        std::string out;
        for (const auto& type : alice.get("/api/v1/notifications").all("type"))
            out += (out.empty() ? "" : " ") + type;
        return out;
    }
};
ON_EACH_DATABASE(FarLikes);

TEST_P(FarLikes, count_once_and_tell_the_author) {
    auto status = alice.status("hello");
    auto like = bob.like(uri_of(w, status));
    comes(bob, like);
    comes(bob, like);
    comes(bob, bob.like(uri_of(w, status), "again"));
    EXPECT_EQ(likes(status), "1");
    EXPECT_EQ(told(), "favourite");
    comes(bob, bob.undo(like));
    EXPECT_EQ(likes(status), "0");
    EXPECT_EQ(told(), "");
}

TEST_P(FarLikes, are_undone_by_their_id_alone_but_not_by_others) {
    auto status = alice.status("hello");
    comes(bob, bob.like(uri_of(w, status)));
    Peer eve(w, "eve", "far.example");
    eve.known();
    comes(eve, eve.activity("Undo", "https://far.example/activities/like-1", "e1"));
    comes(eve, eve.undo(bob.like(uri_of(w, status))));
    EXPECT_EQ(likes(status), "1");
    comes(bob, bob.activity("Undo", "https://far.example/activities/like-1", "u1"));
    EXPECT_EQ(likes(status), "0");
}

TEST_P(FarLikes, with_an_emoji_are_likes) {
    auto status = alice.status("hello");
    auto reaction = bob.activity("EmojiReact", uri_of(w, status), "react", R"(,"content":"🎉")");
    comes(bob, reaction);
    EXPECT_EQ(likes(status), "1");
    comes(bob, bob.undo(reaction));
    EXPECT_EQ(likes(status), "0");
}

// As Misskey says it: a Like with the emoji, which is a picture of its own; changed by taking back and liking again.
TEST_P(FarLikes, that_carry_a_reaction_are_likes) {
    auto status = alice.status("hello");
    auto reaction = [&](const std::string& emoji, const std::string& number) {
        auto tag =
            R"({"type":"Emoji","id":"https://far.example/emojis/x","name":":x:","icon":{"type":"Image","url":)"
            R"("https://far.example/x.png"}})";
        auto more =
            R"(,"content":")" + emoji + R"(","_misskey_reaction":")" + emoji + R"(","tag":[)" + tag + "]";
        return bob.activity("Like", uri_of(w, status), number, more);
    };
    auto first = reaction("🎉", "r1"), second = reaction(":x:", "r2");
    comes(bob, first);
    EXPECT_EQ(likes(status), "1");
    EXPECT_EQ(told(), "favourite");
    comes(bob, bob.undo(first));
    comes(bob, second);
    EXPECT_EQ(likes(status), "1");
    EXPECT_EQ(told(), "favourite");
    comes(bob, bob.undo(second));
    EXPECT_EQ(likes(status), "0");
    EXPECT_EQ(told(), "");
    EXPECT_TRUE(internet().asked.empty());
}

TEST_P(FarLikes, with_several_emojis_of_one_person_are_one_like) {
    auto status = alice.status("hello");
    auto first = bob.activity("EmojiReact", uri_of(w, status), "e1", R"(,"content":"🎉")");
    auto second = bob.activity("EmojiReact", uri_of(w, status), "e2", R"(,"content":"🍰")");
    comes(bob, first);
    comes(bob, second);
    EXPECT_EQ(likes(status), "1");
    EXPECT_EQ(told(), "favourite");
    comes(bob, bob.undo(second));
    comes(bob, bob.undo(first));
    EXPECT_EQ(likes(status), "0");
}

TEST_P(FarLikes, with_several_emojis_last_until_the_last_is_taken_back_in_whatever_order) {
    auto status = alice.status("hello"), other = alice.status("other");
    auto reaction = [&](const std::string& number) {
        return bob.activity("EmojiReact", uri_of(w, status), number, R"(,"content":"🎉")");
    };
    auto plain = bob.like(uri_of(w, status), "plain");
    comes(bob, bob.activity("EmojiReact", uri_of(w, other), "elsewhere", R"(,"content":"🎉")"));
    for (const auto& like : {reaction("e1"), reaction("e2"), plain, reaction("e3")}) comes(bob, like);
    EXPECT_EQ(likes(status), "1");
    // The one that made the favourite, an additional one, one that is unknown, and the same again.
    comes(bob, bob.undo(reaction("e1")));
    comes(bob, bob.undo(reaction("e3")));
    comes(bob, bob.undo(bob.like(uri_of(w, status), "unknown")));
    comes(bob, bob.activity("Undo", "https://far.example/activities/like-e3", "u9"));
    EXPECT_EQ(likes(status), "1");
    comes(bob, bob.undo(plain));
    EXPECT_EQ(likes(status), "1");
    EXPECT_EQ(told(), "favourite favourite");
    comes(bob, bob.undo(reaction("e2")));
    EXPECT_EQ(likes(status), "0");
    EXPECT_EQ(likes(other), "1");
    EXPECT_EQ(told(), "favourite");
}

TEST_P(FarLikes, that_were_undone_before_they_came_do_not_count) {
    auto status = alice.status("hello");
    auto like = bob.like(uri_of(w, status));
    comes(bob, bob.undo(like));
    comes(bob, like);
    EXPECT_EQ(likes(status), "0");
}

TEST_P(FarLikes, attack_29_of_what_they_cannot_see_do_not_count) {
    auto hidden = alice.status("for followers", {{"visibility", "private"}});
    auto direct = alice.status("for nobody", {{"visibility", "direct"}});
    for (const auto& status : {hidden, direct}) comes(bob, bob.like(uri_of(w, status), status));
    EXPECT_EQ(likes(hidden), "0");
    EXPECT_EQ(likes(direct), "0");
    EXPECT_EQ(told(), "");
}

TEST_P(FarLikes, of_what_is_elsewhere_or_nowhere_are_nothing_to_us) {
    comes(bob, bob.like("https://third.example/notes/1"));
    comes(bob, bob.like(w.site().public_url + "/ap/users/" + alice.id + "/statuses/1", "2"));
    EXPECT_EQ(w.happened(), "");
    EXPECT_TRUE(internet().asked.empty());
}

TEST_P(FarLikes, from_blocked_people_do_not_count) {
    auto status = alice.status("hello");
    alice.post("/api/v1/accounts/" + std::to_string(bob.id.value) + "/block");
    comes(bob, bob.like(uri_of(w, status)));
    EXPECT_EQ(likes(status), "0");
}

struct FarVotes : FarLikes {
    std::string poll(const std::string& multiple = "false") {
        return alice.status(
            "Which?",
            {{"poll[options][]", "tea"},
             {"poll[options][]", "coffee"},
             {"poll[expires_in]", "3600"},
             {"poll[multiple]", multiple}}
        );
    }
    void votes(
        const std::string& status, const std::string& option, const std::string& number,
        const std::string& voter = "https://far.example/users/bob"
    ) {
        auto note = R"({"type":"Note","id":"https://far.example/votes/)" + number + R"(","attributedTo":")" +
                    voter + R"(","name":")" + option + R"(","inReplyTo":")" + uri_of(w, status) +
                    R"(","to":")" + uri_of(w, alice) + "\"}";
        comes(bob, bob.create(note, "vote-" + number));
    }
    std::string tally(const std::string& status) {
        auto found = alice.get("/api/v1/statuses/" + status);
        return found["poll.options.0.votes_count"] + " " + found["poll.options.1.votes_count"] + " by " +
               found["poll.voters_count"];
    }
};
ON_EACH_DATABASE(FarVotes);

TEST_P(FarVotes, attack_31_count_once_for_an_option_that_there_is) {
    auto status = poll();
    auto before = alice.get("/api/v1/accounts/" + alice.id)["statuses_count"];
    votes(status, "tea", "1");
    EXPECT_EQ(tally(status), "1 0 by 1");
    votes(status, "coffee", "2");
    votes(status, "tea", "3");
    EXPECT_EQ(tally(status), "1 0 by 1");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["replies_count"], "0");
}

TEST_P(FarVotes, attack_31_for_several_options_come_one_by_one) {
    auto status = poll("true");
    votes(status, "tea", "1");
    votes(status, "coffee", "2");
    votes(status, "coffee", "3");
    EXPECT_EQ(tally(status), "1 1 by 1");
}

TEST_P(FarVotes, attack_31_in_the_name_of_somebody_else_do_not_count) {
    auto status = poll();
    Peer eve(w, "eve", "far.example");
    eve.known();
    votes(status, "tea", "1", eve.uri);
    EXPECT_EQ(tally(status), "0 0 by 0");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["replies_count"], "0");
    votes(status, "coffee", "2");
    EXPECT_EQ(tally(status), "0 1 by 1");
}

TEST_P(FarVotes, attack_31_after_the_end_do_not_count) {
    auto status = poll();
    w.advance(3601);
    votes(status, "tea", "1");
    EXPECT_EQ(tally(status), "0 0 by 0");
}

}  // namespace

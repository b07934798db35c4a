// SPDX-License-Identifier: AGPL-3.0-or-later
// Statuses that came before what they answer and quote, and votes that go where the poll is.
#include "base/json.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "social/federation/sent.hpp"

#include <gmock/gmock.h>

const db::Query<std::int64_t> test_quoting{
    "test_quoting", "SELECT count(*) AS n FROM quotes WHERE quoted_status_id = $1"
};
const db::Query<std::int64_t> test_conversations{
    "test_conversations", "SELECT count(DISTINCT conversation_id) AS n FROM statuses"
};
const db::Query<std::int64_t> test_waiting{
    "test_waiting", "SELECT count(*) AS n FROM remote_statuses WHERE parent <> '' OR quoted <> ''"
};

namespace {

using testing::ElementsAre, testing::UnorderedElementsAre;

struct Joining : OnEachWorld {
    Person alice = w.local("alice");
    base::AccountId bob = remote::somebody(w, "bob");
    statuses::RemoteStatus awaited = remote::note(w, remote::somebody(w, "carol"), "awaited");

    Answer shown(const std::string& id) { return alice.get("/api/v1/statuses/" + id); }
    std::int64_t conversations() {
        return w.read([](db::Read& db) { return db.one(test_conversations); });
    }
    std::int64_t waiting() {
        return w.read([](db::Read& db) { return db.one(test_waiting); });
    }
};
ON_EACH_DATABASE(Joining);

TEST_P(Joining, brings_all_answers_that_waited_however_many) {
    constexpr int many = 501;  // more than were ever joined at once
    std::vector<std::string> ids;
    for (int i = 0; i < many; ++i) {
        auto answer = remote::note(w, bob, "answer-" + std::to_string(i));
        answer.in_reply_to = awaited.uri;
        ids.push_back(remote::stored(w, answer));
    }
    auto id = remote::stored(w, awaited);
    w.run_jobs();
    EXPECT_EQ(shown(id)["replies_count"], std::to_string(many));
    EXPECT_EQ(shown(ids.back())["in_reply_to_id"], id);
    EXPECT_EQ(waiting(), 0);
}

// Who goes on in a thread of their own writes for those who follow them, and what answers others is no post of its own.
TEST_P(Joining, brings_an_answer_home_once_it_is_known_whom_it_answers) {
    remote::follows(w, alice, bob);
    auto of_bob = remote::note(w, bob, "begun"), of_carol = awaited;
    auto own = remote::note(w, bob, "own"), other = remote::note(w, bob, "other");
    own.in_reply_to = of_bob.uri, other.in_reply_to = of_carol.uri;
    const auto goes_on = remote::stored(w, own);
    remote::stored(w, other);
    const auto posts = [&] {
        return alice.get("/api/v1/accounts/" + remote::text(bob) + "/statuses", {{"exclude_replies", "true"}})
            .ids();
    };
    EXPECT_THAT(alice.home(), testing::IsEmpty());
    EXPECT_THAT(posts(), testing::IsEmpty());
    const auto begun = remote::stored(w, of_bob);
    remote::stored(w, of_carol);
    w.run_jobs();
    EXPECT_THAT(alice.home(), UnorderedElementsAre(goes_on, begun));
    EXPECT_THAT(posts(), UnorderedElementsAre(goes_on, begun));
}

TEST_P(Joining, keeps_a_conversation_muted) {
    auto answer = remote::note(w, bob, "answer");
    answer.in_reply_to = awaited.uri;
    answer.mentions = {{remote::number(alice), false}};
    const auto id = remote::stored(w, answer);
    EXPECT_EQ(alice.post("/api/v1/statuses/" + id + "/mute")["muted"], "true");
    const auto first = remote::stored(w, awaited);
    w.run_jobs();
    EXPECT_EQ(conversations(), 1);
    EXPECT_EQ(shown(id)["muted"], "true");
    EXPECT_EQ(shown(first)["muted"], "true");
}

TEST_P(Joining, takes_all_that_hangs_below_an_answer_into_the_conversation_chunk_by_chunk) {
    auto answer = remote::note(w, bob, "answer");
    answer.in_reply_to = awaited.uri;
    auto id = remote::stored(w, answer);
    for (int i = 0; i < 405; ++i) {  // more than two chunks, and what moves at once
        auto below = remote::note(w, bob, "below-" + std::to_string(i));
        below.in_reply_to = answer.uri;
        remote::stored(w, below);
    }
    remote::stored(w, awaited);
    EXPECT_EQ(conversations(), 2);
    w.run_jobs();
    EXPECT_EQ(conversations(), 1);
    EXPECT_EQ(shown(id)["replies_count"], "405");
}

TEST_P(Joining, makes_no_circle_of_statuses_that_answer_each_other) {
    auto one = remote::note(w, bob, "one"), other = remote::note(w, bob, "other"),
         itself = remote::note(w, bob, "itself");
    one.in_reply_to = other.uri, other.in_reply_to = one.uri, itself.in_reply_to = itself.uri;
    auto first = remote::stored(w, one), second = remote::stored(w, other), alone = remote::stored(w, itself);
    w.run_jobs();
    EXPECT_EQ(shown(second)["in_reply_to_id"], first);
    EXPECT_EQ(shown(first)["in_reply_to_id"], "null");
    EXPECT_EQ(shown(alone)["in_reply_to_id"], "null");
    EXPECT_EQ(waiting(), 0);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + first + "/context")["descendants.0.id"], second);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + first + "/context")["descendants.1.id"], "absent");
}

TEST_P(Joining, brings_all_quotes_that_waited_however_many) {
    constexpr int many = 201;
    for (int i = 0; i < many; ++i) {
        auto quoting = remote::note(w, bob, "quoting-" + std::to_string(i));
        quoting.quote = statuses::RemoteQuote{awaited.uri, "", false};
        remote::stored(w, quoting);
    }
    auto id = remote::stored(w, awaited);
    w.run_jobs();
    EXPECT_EQ(w.read([&](db::Read& db) { return db.one(test_quoting, remote::status(id)); }), many);
    EXPECT_EQ(waiting(), 0);
}

struct VotesThere : OnEachWorld {
    Person alice = w.local("alice");
    Peer bob = Peer(w).known();

    std::vector<std::string> voted(const std::string& poll, const std::vector<std::string>& choices) {
        Fields form;
        for (const auto& choice : choices) form.emplace_back("choices[]", choice);
        EXPECT_EQ(alice.post("/api/v1/polls/" + poll + "/votes", form).status, 200);
        std::vector<std::string> names;
        for (const auto& one : sent(w)) names.push_back(one["object.name"]);
        return names;
    }
};
ON_EACH_DATABASE(VotesThere);

TEST_P(VotesThere, that_are_added_later_are_the_only_ones_sent_then) {
    auto note = remote::note(w, bob.id, "poll");
    note.poll =
        statuses::RemotePoll{true, {{"tea", 0}, {"coffee", 0}, {"milk", 0}}, w.now().plus_seconds(3600), 0};
    auto poll = remote::stored(w, note);
    sent(w);
    EXPECT_THAT(voted(poll, {"0"}), ElementsAre("tea"));
    EXPECT_THAT(voted(poll, {"1", "2"}), UnorderedElementsAre("coffee", "milk"));
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/core/status.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct Conversations : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");

    Conversations() {
        for (const auto& who : {alice, bob, carol})
            who.patch("/api/v2/notifications/policy", {{"for_private_mentions", "accept"}});
    }
    static Answer of(const Person& who, const Fields& fields = {}) {
        return who.get("/api/v1/conversations", fields);
    }
    static std::string direct(const Person& from, const std::string& text) {
        return from.status(text, {{"visibility", "direct"}});
    }
    static std::string replies(const Person& from, const std::string& status, const std::string& text) {
        return from.answers(status, text, {{"visibility", "direct"}});
    }
};
ON_EACH_DATABASE(Conversations);

TEST_P(Conversations, gather_the_direct_statuses_of_a_thread) {
    auto first = direct(alice, "@bob hello");
    auto alices = of(alice), bobs = of(bob);
    EXPECT_THAT(alices.all("last_status.id"), ElementsAre(first));
    EXPECT_THAT(alices.all("unread"), ElementsAre("false"));
    EXPECT_EQ(alices["0.accounts.0.acct"], "bob");
    EXPECT_EQ(alices["0.accounts.1"], "absent");
    EXPECT_THAT(bobs.all("unread"), ElementsAre("true"));
    EXPECT_EQ(bobs["0.accounts.0.acct"], "alice");
    auto second = replies(bob, first, "@alice hi");
    EXPECT_THAT(of(alice).all("last_status.id"), ElementsAre(second));
    EXPECT_THAT(of(alice).all("unread"), ElementsAre("true"));
    EXPECT_THAT(of(bob).all("unread"), ElementsAre("false"));
    EXPECT_EQ(of(alice).ids(), alices.ids());
    EXPECT_THAT(of(carol).ids(), IsEmpty());
    alice.status("@bob in public");
    EXPECT_EQ(of(bob).ids(), bobs.ids());
}

TEST_P(Conversations, are_told_apart_by_thread_and_people) {
    auto first = direct(alice, "@bob hello");
    replies(alice, first, "@bob @carol hello");
    auto last = direct(alice, "@bob another");
    auto all = of(alice);
    EXPECT_EQ(all.ids().size(), 3u);
    EXPECT_EQ(all["0.last_status.id"], last);
    EXPECT_EQ(all["1.accounts.0.acct"], "bob");
    EXPECT_EQ(all["1.accounts.1.acct"], "carol");
    EXPECT_THAT(of(carol).ids().size(), 1u);
    auto note = direct(carol, "to myself");
    EXPECT_EQ(of(carol)["0.last_status.id"], note);
    EXPECT_EQ(of(carol)["0.accounts.0.acct"], "carol");
}

TEST_P(Conversations, are_marked_read_and_unread) {
    direct(alice, "@bob hello");
    auto path = "/api/v1/conversations/" + of(bob).ids()[0];
    w.happened();
    for (int twice = 0; twice < 2; ++twice) EXPECT_EQ(bob.post(path + "/read")["unread"], "false");
    EXPECT_EQ(of(bob)["0.unread"], "false");
    for (int twice = 0; twice < 2; ++twice) EXPECT_EQ(bob.post(path + "/unread")["unread"], "true");
    EXPECT_EQ(of(bob)["0.unread"], "true");
    EXPECT_EQ(w.happened(), "");
    for (auto action : {"/read", "/unread"}) EXPECT_EQ(alice.post(path + action).status, 404);
}

TEST_P(Conversations, can_be_deleted_and_come_back_with_the_next_status) {
    auto first = direct(alice, "@bob hello");
    auto id = of(bob).ids()[0];
    w.changed();
    EXPECT_EQ(alice.del("/api/v1/conversations/" + id).status, 404);
    EXPECT_EQ(bob.del("/api/v1/conversations/" + id).body, "{}");
    EXPECT_EQ(w.changed(), "account_conversations -1, account_conversation_statuses -1");
    EXPECT_EQ(bob.del("/api/v1/conversations/" + id).status, 404);
    EXPECT_THAT(of(bob).ids(), IsEmpty());
    EXPECT_EQ(of(alice).ids().size(), 1u);
    EXPECT_EQ(bob.get("/api/v1/statuses/" + first).status, 200);
    auto second = replies(alice, first, "@bob still there?");
    EXPECT_THAT(of(bob).all("last_status.id"), ElementsAre(second));
}

TEST_P(Conversations, step_back_when_their_last_status_is_deleted) {
    auto first = direct(alice, "@bob hello"), second = replies(alice, first, "@bob again");
    alice.del("/api/v1/statuses/" + second);
    EXPECT_THAT(of(bob).all("last_status.id"), ElementsAre(first));
    EXPECT_THAT(of(alice).all("last_status.id"), ElementsAre(first));
    alice.del("/api/v1/statuses/" + first);
    EXPECT_THAT(of(bob).ids(), IsEmpty());
    EXPECT_THAT(of(alice).ids(), IsEmpty());
}

TEST_P(Conversations, with_the_blocked_and_the_muted_go) {
    direct(bob, "@alice one");
    direct(carol, "@alice two");
    alice.blocks(bob);
    EXPECT_THAT(of(alice).all("accounts.0.acct"), ElementsAre("carol"));
    EXPECT_EQ(of(bob).ids().size(), 1u);
    alice.mutes(carol, {{"notifications", "false"}});
    EXPECT_EQ(of(alice).ids().size(), 1u);
    alice.mutes(carol);
    EXPECT_THAT(of(alice).ids(), IsEmpty());
    direct(carol, "@alice three");
    EXPECT_THAT(of(alice).ids(), IsEmpty());
}

TEST_P(Conversations, with_strangers_begin_when_their_request_is_accepted) {
    alice.patch("/api/v2/notifications/policy", {{"for_private_mentions", "filter"}});
    auto status = direct(bob, "@alice psst");
    EXPECT_THAT(of(alice).ids(), IsEmpty());
    auto request = alice.get("/api/v1/notifications/requests").ids()[0];
    alice.post("/api/v1/notifications/requests/" + request + "/accept");
    w.run_jobs();
    EXPECT_THAT(of(alice).all("last_status.id"), ElementsAre(status));
    EXPECT_EQ(of(alice)["0.unread"], "true");
}

const db::Command test_move_away{
    "test_move_away", "UPDATE accounts SET domain = 'far.example', version = version + 1 WHERE id = $1"
};

TEST_P(Conversations, of_people_elsewhere_are_not_kept) {
    auto status = direct(bob, "@alice hello");
    bob.del("/api/v1/conversations/" + of(bob).ids()[0]);
    base::AccountId author{std::stoll(bob.id)};
    w.write([&](db::Write& db) { db.run(test_move_away, author); });
    w.changed();
    w.write([&](db::Write& db) { db.emit(statuses::Published{{std::stoll(status)}, author, false}); });
    EXPECT_EQ(w.changed(), "");
}

TEST_P(Conversations, show_no_status_of_the_suspended) {
    direct(bob, "@alice one");
    w.suspend(bob);
    EXPECT_EQ(of(alice)["0.last_status"], "null");
    EXPECT_EQ(of(alice)["0.accounts.0.suspended"], "true");
}

TEST_P(Conversations, are_paged_by_their_last_status) {
    std::vector<std::string> statuses;
    for (int i = 0; i < 5; ++i) statuses.insert(statuses.begin(), direct(alice, "@bob hello"));
    auto first = of(bob, {{"limit", "2"}});
    EXPECT_THAT(first.all("last_status.id"), ElementsAre(statuses[0], statuses[1]));
    auto second = bob.get(first.link("next"));
    EXPECT_THAT(second.all("last_status.id"), ElementsAre(statuses[2], statuses[3]));
    auto last = bob.get(second.link("next"));
    EXPECT_THAT(last.all("last_status.id"), ElementsAre(statuses[4]));
    EXPECT_EQ(last.link("next"), "");
    EXPECT_EQ(bob.get(second.link("prev")).ids(), first.ids());
    EXPECT_EQ(of(bob, {{"since_id", statuses[3]}, {"limit", "2"}}).ids(), first.ids());
}

TEST_P(Conversations, cost_the_same_queries_for_one_and_for_forty) {
    direct(alice, "@bob hello");
    of(bob);
    w.queries();
    of(bob);
    auto few = w.queries();
    for (int i = 0; i < 40; ++i) direct(w.local("p" + std::to_string(i)), "@bob hello");
    of(bob, {{"limit", "40"}});
    w.queries();
    EXPECT_EQ(of(bob, {{"limit", "40"}}).ids().size(), 40u);
    EXPECT_EQ(w.queries(), few);
}

}  // namespace
